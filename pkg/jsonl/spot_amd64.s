//go:build !purego

#include "textflag.h"

// What may stand between a key and its value, and a backslash, each at the place that its low half says: blank, tab,
// colon, backslash, carriage return. No other byte is what stands at its own place.
DATA before<>+0(SB)/8, $0xffffffffffffff20
DATA before<>+8(SB)/8, $0xffff0d5cff3a09ff
GLOBL before<>(SB), RODATA|NOPTR, $16

// What makes a spot behind each of these: a quote, or the u of an escape.
DATA behind<>+0(SB)/8, $0xffffffffffffff22
DATA behind<>+8(SB)/8, $0xffff2275ff2222ff
GLOBL behind<>(SB), RODATA|NOPTR, $16

// before, but for the backslash.
DATA between<>+0(SB)/8, $0xffffffffffffff20
DATA between<>+8(SB)/8, $0xffff0dffff3a09ff
GLOBL between<>(SB), RODATA|NOPTR, $16

DATA signs<>+0(SB)/8, $0x310f300a755c22 // quote, backslash, u, newline, 0, low half, 1
GLOBL signs<>(SB), RODATA|NOPTR, $8

// Both functions look at 64 bytes a step, in two halves, whose spots come out as the bits of R10 and R11. Few steps have
// any but newlines: what it takes to rule out most of the others is done where there are some.

// LETTERS clears the bytes of q whose letters at one and two, relative to the quote, share no class. Y0 to Y2 are lost.
#define LETTERS(one, two, q) \
	VMOVDQU  one(SI)(AX*1), Y0 \
	VPSHUFB  Y0, Y14, Y1 \
	VPSRLW   $4, Y0, Y0  \
	VPAND    Y13, Y0, Y0 \
	VPSHUFB  Y0, Y15, Y0 \
	VPAND    Y0, Y1, Y1  \
	VMOVDQU  two(SI)(AX*1), Y0 \
	VPSHUFB  Y0, Y7, Y2  \
	VPSRLW   $4, Y0, Y0  \
	VPAND    Y13, Y0, Y0 \
	VPSHUFB  Y0, Y6, Y0  \
	VPAND    Y0, Y2, Y0  \
	VPAND    Y0, Y1, Y1  \
	VPXOR    Y0, Y0, Y0  \
	VPCMPEQB Y0, Y1, Y1  \
	VPANDN   q, Y1, q

// ESCAPES leaves of u the bytes whose escape may be that of a letter: 0 at zero, more than 1 at high. Y0 and Y1 are lost.
#define ESCAPES(zero, high, u) \
	VPBROADCASTB signs<>+4(SB), Y0 \
	VPCMPEQB     zero(SI)(AX*1), Y0, Y0 \
	VPAND        Y0, u, u \
	VMOVDQU      high(SI)(AX*1), Y0 \
	VPBROADCASTB signs<>+6(SB), Y1 \
	VPCMPGTB     Y1, Y0, Y0 \
	VPAND        Y0, u, u

// func valuesAVX2(b *byte, at, n int, t *letterTables) (i int, mask uint64)
TEXT ·valuesAVX2(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVQ at+8(FP), AX
	MOVQ n+16(FP), DX
	MOVQ t+24(FP), DI
	VPBROADCASTB signs<>+0(SB), Y8
	VPBROADCASTB signs<>+3(SB), Y11
	VBROADCASTI128 before<>(SB), Y12
	VBROADCASTI128 behind<>(SB), Y9
	VPBROADCASTB signs<>+5(SB), Y13
	VBROADCASTI128 0(DI), Y14
	VBROADCASTI128 16(DI), Y15
	VBROADCASTI128 32(DI), Y7
	VBROADCASTI128 48(DI), Y6
	SUBQ $67, DX
	XORQ R10, R10

loop:
	CMPQ AX, DX
	JGT  done
	PREFETCHT0 1024(SI)(AX*1)
	VMOVDQU   (SI)(AX*1), Y0
	VMOVDQU   -1(SI)(AX*1), Y1
	VPSHUFB   Y1, Y12, Y2
	VPCMPEQB  Y1, Y2, Y2
	VPSHUFB   Y1, Y9, Y1
	VPCMPEQB  Y0, Y1, Y1
	VPAND     Y1, Y2, Y4 // the quote of a value, the u of an escape
	VPCMPEQB  Y0, Y11, Y0
	VPMOVMSKB Y0, R10
	VMOVDQU   32(SI)(AX*1), Y0
	VMOVDQU   31(SI)(AX*1), Y1
	VPSHUFB   Y1, Y12, Y2
	VPCMPEQB  Y1, Y2, Y2
	VPSHUFB   Y1, Y9, Y1
	VPCMPEQB  Y0, Y1, Y1
	VPAND     Y1, Y2, Y5
	VPCMPEQB  Y0, Y11, Y0
	VPMOVMSKB Y0, R11
	SHLQ      $32, R11
	ORQ       R11, R10
	VPOR      Y4, Y5, Y0
	VPTEST    Y0, Y0
	JZ        found

	VPCMPEQB  (SI)(AX*1), Y8, Y3
	VPAND     Y3, Y4, Y3  // quotes
	VPANDN    Y4, Y3, Y4  // escapes
	LETTERS(1, 2, Y3)
	ESCAPES(1, 3, Y4)
	VPOR      Y3, Y4, Y4
	VPCMPEQB  32(SI)(AX*1), Y8, Y3
	VPAND     Y3, Y5, Y3
	VPANDN    Y5, Y3, Y5
	LETTERS(33, 34, Y3)
	ESCAPES(33, 35, Y5)
	VPOR      Y3, Y5, Y5
	VPMOVMSKB Y4, R11
	ORQ       R11, R10
	VPMOVMSKB Y5, R11
	SHLQ      $32, R11
	ORQ       R11, R10

found:
	TESTQ R10, R10
	JNZ   done
	ADDQ  $64, AX
	JMP   loop

done:
	VZEROUPPER
	MOVQ AX, i+32(FP)
	MOVQ R10, mask+40(FP)
	RET

// func keysAVX2(b *byte, at, n int, t *letterTables) (i int, mask uint64)
TEXT ·keysAVX2(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVQ at+8(FP), AX
	MOVQ n+16(FP), DX
	MOVQ t+24(FP), DI
	VPBROADCASTB signs<>+0(SB), Y8
	VPBROADCASTB signs<>+1(SB), Y9
	VPBROADCASTB signs<>+2(SB), Y10
	VPBROADCASTB signs<>+3(SB), Y11
	VBROADCASTI128 between<>(SB), Y12
	VPBROADCASTB signs<>+5(SB), Y13
	VBROADCASTI128 0(DI), Y14
	VBROADCASTI128 16(DI), Y15
	VBROADCASTI128 32(DI), Y7
	VBROADCASTI128 48(DI), Y6
	SUBQ $67, DX
	XORQ R10, R10

loop:
	CMPQ AX, DX
	JGT  done
	PREFETCHT0 1024(SI)(AX*1)
	VMOVDQU   (SI)(AX*1), Y0
	VMOVDQU   1(SI)(AX*1), Y1
	VPCMPEQB  -1(SI)(AX*1), Y9, Y2 // behind a backslash
	VPSHUFB   Y1, Y12, Y3
	VPCMPEQB  Y1, Y3, Y3 // before what stands behind a key
	VPCMPEQB  Y0, Y8, Y4
	VPAND     Y3, Y4, Y4
	VPANDN    Y4, Y2, Y4 // the quote of a key
	VPCMPEQB  Y0, Y10, Y3
	VPAND     Y2, Y3, Y3 // the u of an escape
	VPOR      Y3, Y4, Y4
	VPCMPEQB  Y0, Y11, Y0
	VPMOVMSKB Y0, R10
	VMOVDQU   32(SI)(AX*1), Y0
	VMOVDQU   33(SI)(AX*1), Y1
	VPCMPEQB  31(SI)(AX*1), Y9, Y2
	VPSHUFB   Y1, Y12, Y3
	VPCMPEQB  Y1, Y3, Y3
	VPCMPEQB  Y0, Y8, Y5
	VPAND     Y3, Y5, Y5
	VPANDN    Y5, Y2, Y5
	VPCMPEQB  Y0, Y10, Y3
	VPAND     Y2, Y3, Y3
	VPOR      Y3, Y5, Y5
	VPCMPEQB  Y0, Y11, Y0
	VPMOVMSKB Y0, R11
	SHLQ      $32, R11
	ORQ       R11, R10
	VPOR      Y4, Y5, Y0
	VPTEST    Y0, Y0
	JZ        found

	VPCMPEQB  (SI)(AX*1), Y8, Y3
	VPAND     Y3, Y4, Y3 // quotes
	VPANDN    Y4, Y3, Y4 // escapes
	LETTERS(-1, -2, Y3)
	ESCAPES(1, 3, Y4)
	VPOR      Y3, Y4, Y4
	VPCMPEQB  32(SI)(AX*1), Y8, Y3
	VPAND     Y3, Y5, Y3
	VPANDN    Y5, Y3, Y5
	LETTERS(31, 30, Y3)
	ESCAPES(33, 35, Y5)
	VPOR      Y3, Y5, Y5
	VPMOVMSKB Y4, R11
	ORQ       R11, R10
	VPMOVMSKB Y5, R11
	SHLQ      $32, R11
	ORQ       R11, R10

found:
	TESTQ R10, R10
	JNZ   done
	ADDQ  $64, AX
	JMP   loop

done:
	VZEROUPPER
	MOVQ AX, i+32(FP)
	MOVQ R10, mask+40(FP)
	RET
