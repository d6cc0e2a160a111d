//go:build !purego

#include "textflag.h"

// What may follow a backslash, but for u: a byte is one of them when the bits its two halves have here meet.
//   high 2: " /   high 5: \   high 6: b f n   high 7: r t
DATA escapeLow<>+0(SB)/8, $0x00040008000d0000
DATA escapeLow<>+8(SB)/8, $0x0104000200000000
GLOBL escapeLow<>(SB), RODATA|NOPTR, $16
DATA escapeHigh<>+0(SB)/8, $0x0804020000010000
DATA escapeHigh<>+8(SB)/8, $0x0000000000000000
GLOBL escapeHigh<>(SB), RODATA|NOPTR, $16

DATA bytes<>+0(SB)/4, $0x0f1f5c22 // quote, backslash, last control character, low half
GLOBL bytes<>(SB), RODATA|NOPTR, $4

// func stopsAVX2(p *byte, n int) (off int, quotes, bad uint64)
//
// 64 bytes a step: which bytes are backslashes gives which are escaped (a subtraction carries through each run of
// backslashes, as in simdjson); quotes that are not, control characters, and escaped bytes that are not plain are stops.
// A step is so long that few of them are under way at once: what lies 2 KB ahead is asked for, or each waits for memory.
TEXT ·stopsAVX2(SB), NOSPLIT, $0-40
	MOVQ p+0(FP), SI
	MOVQ n+8(FP), CX
	VPBROADCASTB bytes<>+0(SB), Y0
	VPBROADCASTB bytes<>+1(SB), Y1
	VPBROADCASTB bytes<>+2(SB), Y2
	VPBROADCASTB bytes<>+3(SB), Y5
	VBROADCASTI128 escapeLow<>(SB), Y3
	VBROADCASTI128 escapeHigh<>(SB), Y4
	VPXOR Y6, Y6, Y6
	MOVQ $0xaaaaaaaaaaaaaaaa, R9
	XORQ AX, AX   // offset
	XORQ R8, R8   // 1: the byte at the offset is escaped
	XORQ R13, R13 // the bit of the end of the input, in the last step

loop:
	MOVQ CX, DX
	SUBQ AX, DX
	CMPQ DX, $64
	JLT  tail

step:
	PREFETCHT0 2048(SI)(AX*1)
	VMOVDQU (SI)(AX*1), Y8
	VMOVDQU 32(SI)(AX*1), Y9

	// R10: backslashes
	VPCMPEQB  Y8, Y1, Y10
	VPCMPEQB  Y9, Y1, Y11
	VPMOVMSKB Y10, R10
	VPMOVMSKB Y11, R11
	SHLQ      $32, R11
	ORQ       R11, R10

	// R11: quotes, R14: control characters
	VPCMPEQB  Y8, Y0, Y10
	VPCMPEQB  Y9, Y0, Y11
	VPMINUB   Y8, Y2, Y12
	VPMINUB   Y9, Y2, Y13
	VPCMPEQB  Y8, Y12, Y12
	VPCMPEQB  Y9, Y13, Y13
	VPMOVMSKB Y10, R11
	VPMOVMSKB Y11, R12
	VPMOVMSKB Y12, R14
	VPMOVMSKB Y13, BX
	SHLQ      $32, R12
	ORQ       R12, R11
	SHLQ      $32, BX
	ORQ       BX, R14

	// Most steps have no backslash.
	MOVQ R10, BX
	ORQ  R8, BX
	JZ   found

	// R12: bytes that may not be escaped
	VPSRLW    $4, Y8, Y12
	VPSRLW    $4, Y9, Y13
	VPSHUFB   Y8, Y3, Y10
	VPSHUFB   Y9, Y3, Y11
	VPAND     Y5, Y12, Y12
	VPAND     Y5, Y13, Y13
	VPSHUFB   Y12, Y4, Y12
	VPSHUFB   Y13, Y4, Y13
	VPAND     Y10, Y12, Y10
	VPAND     Y11, Y13, Y11
	VPCMPEQB  Y6, Y10, Y10
	VPCMPEQB  Y6, Y11, Y11
	VPMOVMSKB Y10, R12
	VPMOVMSKB Y11, BX
	SHLQ      $32, BX
	ORQ       BX, R12

	// DI: escaped bytes
	ANDNQ R10, R8, BX
	LEAQ  (BX)(BX*1), DI
	ORQ   R9, DI
	SUBQ  BX, DI
	XORQ  R9, DI
	MOVQ  R10, BX
	ORQ   R8, BX
	MOVQ  DI, R8
	XORQ  BX, DI
	ANDQ  R10, R8
	SHRQ  $63, R8

	ANDNQ R11, DI, R11
	ANDQ  DI, R12
	ORQ   R12, R14

found:
	MOVQ R11, BX
	ORQ  R14, BX
	ORQ  R13, BX
	JNZ  stop
	ADDQ $64, AX
	JMP  loop

stop:
	TESTQ R13, R13
	JZ    done
	DECQ  R13 // what lies behind the end is none of ours
	ANDQ  R13, R11
	ANDQ  R13, R14
	MOVQ  R11, BX
	ORQ   R14, BX
	JNZ   done
	MOVQ  CX, AX

done:
	VZEROUPPER
	MOVQ AX, off+16(FP)
	MOVQ R11, quotes+24(FP)
	MOVQ R14, bad+32(FP)
	RET

tail:
	// Fewer than 64 bytes are left. Reading more is harmless inside a page.
	TESTQ DX, DX
	JLE   not
	LEAQ  (SI)(AX*1), BX
	ANDQ  $4095, BX
	CMPQ  BX, $4032
	JGT   not
	BTSQ  DX, R13
	JMP   step

not:
	// The backslash in front belongs to the rest.
	SUBQ R8, AX
	XORQ R11, R11
	XORQ R14, R14
	JMP  done

// func unescapeAVX2(dst *byte, src *byte, n int, table *[256]byte) (read int, wrote int, seen uint64)
//
// 64 bytes a step are copied whole, then source and destination move behind the first escape among them, whose byte is
// put down where its backslash went. Without an escape both move by 64: the step has no branch that depends on the text,
// but for leaving at an escape that is not plain.
TEXT ·unescapeAVX2(SB), NOSPLIT, $0-56
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ table+24(FP), DX
	VPBROADCASTB bytes<>+1(SB), Y0
	VPXOR Y1, Y1, Y1 // all bytes together
	LEAQ -66(SI)(CX*1), CX // the last source from where a step and an escape behind it are whole

step:
	CMPQ SI, CX
	JGT  rest
	VMOVDQU   (SI), Y2
	VMOVDQU   32(SI), Y3
	VMOVDQU   Y2, (DI)
	VMOVDQU   Y3, 32(DI)
	VPOR      Y2, Y3, Y4
	VPCMPEQB  Y2, Y0, Y2
	VPCMPEQB  Y3, Y0, Y3
	VPOR      Y4, Y1, Y1
	VPMOVMSKB Y2, R8
	VPMOVMSKB Y3, R9
	SHLQ      $32, R9
	ORQ       R8, R9
	TZCNTQ    R9, R9               // plain bytes: 64 without an escape
	MOVBLZX   1(SI)(R9*1), R10
	MOVBLZX   (DX)(R10*1), R10     // what the escape stands for
	XORL      R11, R11
	CMPQ      R9, $64
	SETCS     R11                  // 1 if there is one
	MOVQ      R9, R12
	SHRQ      $6, R12
	ORQ       R10, R12
	JZ        other
	MOVB      R10, (DI)(R9*1)
	ADDQ      R9, DI
	ADDQ      R9, SI
	ADDQ      R11, DI
	LEAQ      (SI)(R11*2), SI
	JMP       step

other:
	ADDQ R9, DI
	ADDQ R9, SI

rest:
	SUBQ dst+0(FP), DI
	SUBQ src+8(FP), SI
	MOVQ SI, read+32(FP)
	MOVQ DI, wrote+40(FP)
	VPMOVMSKB Y1, R8
	MOVQ R8, seen+48(FP)
	VZEROUPPER
	RET
