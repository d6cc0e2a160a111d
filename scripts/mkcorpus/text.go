package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

var (
	commonWords = strings.Fields(`the of and to a in is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so no out up into them then its only some could time these two may first do any like my now over such our man me even most made after also did many off before must well back through years where much your way down should because long each just those people too mr how little state good very make world still see own work men day get here old both between life being under three last while the the and to of a in`)
	techWords   = strings.Fields(`file function return value string context request server client handler config buffer parser token stream reader writer session record index search pattern match regex cache thread worker queue channel lock mutex deadline retry connection socket packet schema table column query transaction commit rollback branch merge rebase diff patch build test lint deploy container image cluster node service endpoint route middleware database migration model field struct interface method type generic slice map array pointer memory allocation garbage collector goroutine recover defer import package module dependency version release changelog readme license flag option argument parameter environment variable path directory permission owner group process signal exit code stdout stderr pipe terminal prompt shell script command output log level debug info warn fatal trace span metric counter gauge histogram latency throughput bandwidth`)
	rareWords   = strings.Fields(`zephyr quixotic obelisk marzipan halcyon serendipity labyrinth gossamer ephemeral petrichor vellichor sonder limerence cynosure eldritch numinous palimpsest susurrus ineffable penumbra`)
	errorWords  = strings.Fields(`error error error timeout timeout failed failure Error Timeout exception`)
	alarmWords  = strings.Fields(`panic Panic deadlock segfault overflow`)
	wideTexts   = []string{"请求超时,请稍后重试。", "错误:无法连接到数据库。", "这个函数的返回值不正确,需要修改。", "我们先看一下日志,再决定怎么处理。", "テストが失敗しました。ログを確認してください。", "接続がタイムアウトしました。", "파일을 찾을 수 없습니다.", "会话记录搜索工具支持正则表达式。", "性能优化:减少内存分配。"}
	oddTexts    = []string{"✅", "❌", "🚀", "⚠️", "👍", "→", "—", "“quoted”", "é", "naïve"}
	snippets    = []string{
		"func %s(ctx context.Context, %s string) error {\n\tif err := do%s(ctx); err != nil {\n\t\treturn fmt.Errorf(\"%s: %%w\", err)\n\t}\n\treturn nil\n}\n",
		"import { %s } from \"./%s\";\nexport const %s = (a: number, b: string) => {\n  console.log(`%s ${a}`);\n};\n",
		"def %s(self, %s=None):\n    \"\"\"%s\"\"\"\n    return self.%s\n",
		"pub fn %s(&self, %s: &str) -> Result<%s> {\n    let x = self.%s.lock().unwrap();\n    Ok(x)\n}\n",
		"\t%s, err := %s.Read(buf)\n\tif err != nil && err != io.EOF {\n\t\tlog.Printf(\"%s %s\", err)\n\t}\n",
	}
	extensions = []string{".go", ".ts", ".rs", ".py", ".md", ".json"}
)

const (
	digits = "0123456789abcdef"
	base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base64 = base62 + "+/"
)

// A writer makes texts. Each method returns a text of about n bytes.
type writer struct {
	r    *rand.Rand
	text []byte // scratch
}

func newWriter(seed uint64) writer {
	return writer{r: rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))}
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func uuid(r *rand.Rand) string {
	var x [36]byte
	bits, left := r.Uint64(), 16
	for i := range x {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			x[i] = '-'
			continue
		}
		if left == 0 {
			bits, left = r.Uint64(), 16
		}
		x[i] = digits[bits&15]
		bits >>= 4
		left--
	}
	x[14], x[19] = '4', "89ab"[r.IntN(4)]
	return string(x[:])
}

func (w *writer) chance(p float64) bool { return w.r.Float64() < p }

// size draws from a log-normal distribution within bounds.
func (w *writer) size(median, sigma float64, lo, hi int) int {
	return max(lo, min(hi, int(median*math.Exp(w.r.NormFloat64()*sigma))))
}

func (w *writer) wireID(prefix string, n int) string {
	x := make([]byte, n)
	for i := range x {
		x[i] = base62[w.r.IntN(len(base62))]
	}
	return prefix + string(x)
}

func (w *writer) word() string {
	switch f := w.r.Float64(); {
	case f < 0.55: // the first words of the list are the common ones
		k := w.r.Float64()
		return commonWords[int(k*k*float64(len(commonWords)))]
	case f < 0.97:
		return pick(w.r, techWords)
	case f < 0.9990:
		return w.ident()
	case f < 0.9999:
		return pick(w.r, errorWords)
	case f < 0.99999:
		return pick(w.r, alarmWords)
	}
	return pick(w.r, rareWords)
}

func (w *writer) ident() string {
	a, b := pick(w.r, techWords), pick(w.r, techWords)
	switch w.r.IntN(3) {
	case 0:
		return a + "_" + b
	case 1:
		return a + strings.ToUpper(b[:1]) + b[1:]
	}
	return strings.ToUpper(a[:1]) + a[1:] + strings.ToUpper(b[:1]) + b[1:]
}

func (w *writer) take() string {
	s := string(w.text)
	w.text = w.text[:0]
	return s
}

func (w *writer) add(s string) { w.text = append(w.text, s...) }

func (w *writer) prose(n int) string {
	w.proseOn(n)
	return w.take()
}

func (w *writer) proseOn(n int) {
	end := len(w.text) + n
	start := true
	for len(w.text) < end {
		word := w.word()
		if start {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		w.add(word)
		start = false
		switch f := w.r.Float64(); {
		case f < 0.06:
			w.add(", ")
		case f < 0.11:
			w.add(". ")
			start = true
		case f < 0.125:
			w.add("\n\n")
			start = true
		case f < 0.135:
			w.add(" `" + w.ident() + "` ")
		case f < 0.139:
			w.add(" \"" + w.word() + "\" ")
		case f < 0.1395:
			w.add(" " + pick(w.r, wideTexts))
		case f < 0.1405:
			w.add(" " + pick(w.r, oddTexts) + " ")
		case f < 0.1407:
			w.text = fmt.Appendf(w.text, " %c%c%c-%04d ", 'A'+w.r.IntN(26), 'A'+w.r.IntN(26), 'A'+w.r.IntN(26), w.r.IntN(10000))
		default:
			w.add(" ")
		}
	}
}

func (w *writer) file(cwd string) string {
	return cwd + "/" + pick(w.r, techWords) + "/" + pick(w.r, techWords) + pick(w.r, extensions)
}

// code gives source text; numbered as the Read tool prints it.
func (w *writer) code(n int, numbered bool) string {
	for line := 1; len(w.text) < n; {
		snippet := fmt.Sprintf(pick(w.r, snippets), w.ident(), w.ident(), w.ident(), w.ident())
		if !numbered {
			w.add(snippet)
			continue
		}
		for l := range strings.SplitSeq(strings.TrimSuffix(snippet, "\n"), "\n") {
			w.text = fmt.Appendf(w.text, "%6d→%s\n", line, l)
			line++
		}
	}
	return w.take()
}

// logs gives what commands print.
func (w *writer) logs(n int, cwd string, now time.Time) string {
	for len(w.text) < n {
		switch f := w.r.Float64(); {
		case f < 0.45:
			w.text = fmt.Appendf(w.text, "%s %s [%s] ", now.Format("2006-01-02T15:04:05.000"), pick(w.r, []string{"INFO", "DEBUG", "WARN", "ERROR"}), w.ident())
			w.proseOn(20 + w.r.IntN(60))
			w.add("\n")
		case f < 0.6:
			w.text = fmt.Appendf(w.text, "\x1b[32mok\x1b[0m  \t%s\t0.%03ds\n", w.file(cwd), w.r.IntN(1000))
		case f < 0.75:
			w.text = fmt.Appendf(w.text, "-rw-r--r-- 1 user staff %7d Jan %2d 12:%02d %s\n", w.r.IntN(9999999), 1+w.r.IntN(28), w.r.IntN(60), w.file(cwd))
		case f < 0.85:
			w.text = fmt.Appendf(w.text, "{\"id\":%d,\"name\":\"%s\",\"path\":\"C:\\\\src\\\\%s\",\"msg\":\"\\u4e2d\\u6587 %s\"}\n", w.r.IntN(1e6), w.ident(), w.ident(), w.word())
		case f < 0.99:
			w.text = fmt.Appendf(w.text, "%s:%d:%d: ", w.file(cwd), w.r.IntN(2000), w.r.IntN(80))
			w.proseOn(30)
			w.add("\n")
		case f < 0.9999:
			w.text = fmt.Appendf(w.text, "error: %s failed after %d ms: request timeout\n", w.ident(), w.r.IntN(9999))
		default:
			w.add("panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\n")
		}
	}
	return w.take()
}

func (w *writer) base64(n int) string {
	for i := 0; i < n; i += 8 {
		v := w.r.Uint64()
		for range 8 {
			w.text = append(w.text, base64[v&63])
			v >>= 6
		}
	}
	return w.take()
}
