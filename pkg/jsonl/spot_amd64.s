//go:build !purego

#include "textflag.h"

// What may stand between a key and its value, each at the place that its low half says: blank, tab, colon, carriage
// return. No other byte is what stands at its own place.
DATA between<>+0(SB)/8, $0xffffffffffffff20
DATA between<>+8(SB)/8, $0xffff0dffff3a09ff
GLOBL between<>(SB), RODATA|NOPTR, $16

DATA signs<>+0(SB)/4, $0x0a755c22 // quote, backslash, u, newline
DATA signs<>+4(SB)/4, $0x0000000f // low half
GLOBL signs<>(SB), RODATA|NOPTR, $8

// Both functions look at 64 bytes a step, in two halves that come out as the bits of R10 and R11.

// func valuesAVX2(b *byte, at, n int, t *wordTables) (i int, mask uint64)
TEXT ·valuesAVX2(SB), NOSPLIT, $0-48
	MOVQ b+0(FP), SI
	MOVQ at+8(FP), AX
	MOVQ n+16(FP), DX
	MOVQ t+24(FP), DI
	VPBROADCASTB signs<>+0(SB), Y8
	VPBROADCASTB signs<>+1(SB), Y9
	VPBROADCASTB signs<>+2(SB), Y10
	VPBROADCASTB signs<>+3(SB), Y11
	VBROADCASTI128 between<>(SB), Y12
	VPBROADCASTB signs<>+4(SB), Y13
	VBROADCASTI128 0(DI), Y14
	VBROADCASTI128 16(DI), Y15
	VBROADCASTI128 32(DI), Y7
	VBROADCASTI128 48(DI), Y6
	SUBQ $66, DX
	XORQ R10, R10

loop:
	CMPQ AX, DX
	JGT  done
	PREFETCHT0 1024(SI)(AX*1)
	VMOVDQU   (SI)(AX*1), Y0
	VMOVDQU   -1(SI)(AX*1), Y1
	VPSHUFB   Y1, Y12, Y2
	VPCMPEQB  Y1, Y2, Y1 // behind what stands before a value
	VPCMPEQB  Y0, Y8, Y2
	VPAND     Y1, Y2, Y2 // quotes there
	VPCMPEQB  Y0, Y9, Y3
	VPCMPEQB  1(SI)(AX*1), Y10, Y1
	VPAND     Y1, Y3, Y3
	VPCMPEQB  Y0, Y11, Y0
	VPOR      Y0, Y3, Y3 // \u and newlines
	VPMOVMSKB Y3, R10
	VMOVDQU   32(SI)(AX*1), Y0
	VMOVDQU   31(SI)(AX*1), Y1
	VPSHUFB   Y1, Y12, Y4
	VPCMPEQB  Y1, Y4, Y1 // behind what stands before a value
	VPCMPEQB  Y0, Y8, Y4
	VPAND     Y1, Y4, Y4 // quotes there
	VPCMPEQB  Y0, Y9, Y3
	VPCMPEQB  33(SI)(AX*1), Y10, Y1
	VPAND     Y1, Y3, Y3
	VPCMPEQB  Y0, Y11, Y0
	VPOR      Y0, Y3, Y3 // \u and newlines
	VPMOVMSKB Y3, R11
	SHLQ      $32, R11
	ORQ       R11, R10

	// Few steps have a value.
	VPOR   Y2, Y4, Y0
	VPTEST Y0, Y0
	JZ     found

	VMOVDQU   1(SI)(AX*1), Y0
	VPSHUFB   Y0, Y14, Y1
	VPSRLW    $4, Y0, Y0
	VPAND     Y13, Y0, Y0
	VPSHUFB   Y0, Y15, Y0
	VPAND     Y0, Y1, Y1 // classes of the first letter
	VMOVDQU   2(SI)(AX*1), Y0
	VPSHUFB   Y0, Y7, Y5
	VPSRLW    $4, Y0, Y0
	VPAND     Y13, Y0, Y0
	VPSHUFB   Y0, Y6, Y0
	VPAND     Y0, Y5, Y0 // and of the second
	VPAND     Y0, Y1, Y1
	VPXOR     Y0, Y0, Y0
	VPCMPEQB  Y0, Y1, Y1 // none
	VPANDN    Y2, Y1, Y2
	VMOVDQU   33(SI)(AX*1), Y0
	VPSHUFB   Y0, Y14, Y1
	VPSRLW    $4, Y0, Y0
	VPAND     Y13, Y0, Y0
	VPSHUFB   Y0, Y15, Y0
	VPAND     Y0, Y1, Y1 // classes of the first letter
	VMOVDQU   34(SI)(AX*1), Y0
	VPSHUFB   Y0, Y7, Y5
	VPSRLW    $4, Y0, Y0
	VPAND     Y13, Y0, Y0
	VPSHUFB   Y0, Y6, Y0
	VPAND     Y0, Y5, Y0 // and of the second
	VPAND     Y0, Y1, Y1
	VPXOR     Y0, Y0, Y0
	VPCMPEQB  Y0, Y1, Y1 // none
	VPANDN    Y4, Y1, Y4
	VPMOVMSKB Y2, R11
	ORQ       R11, R10
	VPMOVMSKB Y4, R11
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

// func keysAVX2(b *byte, at, n int) (i int, mask uint64)
TEXT ·keysAVX2(SB), NOSPLIT, $0-40
	MOVQ b+0(FP), SI
	MOVQ at+8(FP), AX
	MOVQ n+16(FP), DX
	VPBROADCASTB signs<>+0(SB), Y8
	VPBROADCASTB signs<>+1(SB), Y9
	VPBROADCASTB signs<>+2(SB), Y10
	VPBROADCASTB signs<>+3(SB), Y11
	VBROADCASTI128 between<>(SB), Y12
	SUBQ $65, DX
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
	VPANDN    Y4, Y2, Y4
	VPCMPEQB  Y0, Y9, Y5
	VPCMPEQB  Y1, Y10, Y3
	VPAND     Y5, Y3, Y5
	VPCMPEQB  Y0, Y11, Y3
	VPOR      Y4, Y5, Y4
	VPOR      Y4, Y3, Y4
	VPMOVMSKB Y4, R10
	VMOVDQU   32(SI)(AX*1), Y0
	VMOVDQU   33(SI)(AX*1), Y1
	VPCMPEQB  31(SI)(AX*1), Y9, Y2 // behind a backslash
	VPSHUFB   Y1, Y12, Y3
	VPCMPEQB  Y1, Y3, Y3 // before what stands behind a key
	VPCMPEQB  Y0, Y8, Y4
	VPAND     Y3, Y4, Y4
	VPANDN    Y4, Y2, Y4
	VPCMPEQB  Y0, Y9, Y5
	VPCMPEQB  Y1, Y10, Y3
	VPAND     Y5, Y3, Y5
	VPCMPEQB  Y0, Y11, Y3
	VPOR      Y4, Y5, Y4
	VPOR      Y4, Y3, Y4
	VPMOVMSKB Y4, R11
	SHLQ $32, R11
	ORQ  R11, R10
	JNZ  done
	ADDQ $64, AX
	JMP  loop

done:
	VZEROUPPER
	MOVQ AX, i+24(FP)
	MOVQ R10, mask+32(FP)
	RET
