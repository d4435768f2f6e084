#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what race-runtime/native/operands.c says of instructions with the sizes that their source names.

The assembler refuses a size that an instruction does not have, so it is what the processor reads or writes.
"""
import ctypes
import os
import platform
import re
import subprocess
import sys
import tempfile

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../race-runtime/native/operands.c")
SIZES = {"byte": 1, "word": 2, "dword": 4, "qword": 8, "xmmword": 16, "ymmword": 32}
INSTRUCTIONS = """
mov byte ptr [rdi], al
mov word ptr [rdi], ax
mov dword ptr [rdi], eax
mov qword ptr [rdi], rax
mov r9, qword ptr [r10 + r11*8 + 4]
mov r9d, dword ptr fs:[r10]
mov byte ptr [rdi], 1
mov word ptr [rdi], 1
mov dword ptr [rdi], 1
mov qword ptr [rdi], 1
add byte ptr [rdi], al
add word ptr [rdi], ax
add dword ptr [rdi], eax
add qword ptr [rdi], rax
sub eax, dword ptr [rdi]
cmp qword ptr [rdi], 0
cmp byte ptr [rdi], 0
test dword ptr [rdi], eax
test byte ptr [rdi], 1
inc dword ptr [rdi]
inc qword ptr [rdi]
inc word ptr [rdi]
inc byte ptr [rdi]
dec dword ptr [rdi]
neg qword ptr [rdi]
not byte ptr [rdi]
shl dword ptr [rdi], 3
sar qword ptr [rdi], cl
push qword ptr [rdi]
pop qword ptr [rdi]
call qword ptr [rdi]
jmp qword ptr [rdi]
xchg dword ptr [rdi], eax
xchg qword ptr [rdi], rax
movzx eax, byte ptr [rdi]
movzx eax, word ptr [rdi]
movsx rax, byte ptr [rdi]
movsx rax, word ptr [rdi]
movsxd rax, dword ptr [rdi]
imul eax, dword ptr [rdi]
imul rax, qword ptr [rdi], 3
cmove rax, qword ptr [rdi]
cmovl eax, dword ptr [rdi]
sete byte ptr [rdi]
lock xadd dword ptr [rdi], eax
lock xadd byte ptr [rdi], al
lock cmpxchg qword ptr [rdi], rcx
lock cmpxchg byte ptr [rdi], cl
lock cmpxchg8b qword ptr [rdi]
lock cmpxchg16b xmmword ptr [rdi]
lock or dword ptr [rdi], 1
lock bts qword ptr [rdi], 3
bt dword ptr [rdi], 3
movss xmm0, dword ptr [rdi]
movss dword ptr [rdi], xmm0
movsd xmm0, qword ptr [rdi]
movsd qword ptr [rdi], xmm0
movups xmm0, xmmword ptr [rdi]
movups xmmword ptr [rdi], xmm0
movapd xmmword ptr [rdi], xmm0
movdqa xmm0, xmmword ptr [rdi]
movdqu xmmword ptr [rdi], xmm0
movntdq xmmword ptr [rdi], xmm0
movd xmm0, dword ptr [rdi]
movd dword ptr [rdi], xmm0
movq xmm0, qword ptr [rdi]
movq qword ptr [rdi], xmm0
movlps xmm0, qword ptr [rdi]
movhps qword ptr [rdi], xmm0
movlpd qword ptr [rdi], xmm0
movddup xmm0, qword ptr [rdi]
movshdup xmm0, xmmword ptr [rdi]
movsldup xmm0, xmmword ptr [rdi]
addss xmm0, dword ptr [rdi]
addsd xmm0, qword ptr [rdi]
addps xmm0, xmmword ptr [rdi]
mulpd xmm0, xmmword ptr [rdi]
ucomiss xmm0, dword ptr [rdi]
ucomisd xmm0, qword ptr [rdi]
comisd xmm0, qword ptr [rdi]
cvtss2sd xmm0, dword ptr [rdi]
cvtsd2ss xmm0, qword ptr [rdi]
cvtps2pd xmm0, qword ptr [rdi]
cvtsi2sd xmm0, dword ptr [rdi]
cvtsi2sd xmm0, qword ptr [rdi]
cvttsd2si eax, qword ptr [rdi]
cvttss2si rax, dword ptr [rdi]
cvtdq2pd xmm0, qword ptr [rdi]
cvtpd2dq xmm0, xmmword ptr [rdi]
cvttpd2dq xmm0, xmmword ptr [rdi]
paddd xmm0, xmmword ptr [rdi]
pxor xmm0, xmmword ptr [rdi]
pshufb xmm0, xmmword ptr [rdi]
fld dword ptr [rdi]
fld qword ptr [rdi]
fstp qword ptr [rdi]
fadd dword ptr [rdi]
fadd qword ptr [rdi]
vmovups ymm0, ymmword ptr [rdi]
vmovups xmmword ptr [rdi], xmm0
vmovdqu ymmword ptr [rdi], ymm0
vmovsd xmm0, qword ptr [rdi]
vaddsd xmm0, xmm1, qword ptr [rdi]
vaddss xmm0, xmm1, dword ptr [rdi]
vaddpd ymm0, ymm1, ymmword ptr [rdi]
vmovq xmm0, qword ptr [rdi]
vmovddup xmm0, qword ptr [rdi]
vmovddup ymm0, ymmword ptr [rdi]
vmovshdup ymm0, ymmword ptr [rdi]
vcvtdq2pd xmm0, qword ptr [rdi]
vcvtdq2pd ymm0, xmmword ptr [rdi]
vcvtpd2dq xmm0, ymmword ptr [rdi]
vmovd dword ptr [rdi], xmm0
vpxor ymm0, ymm1, ymmword ptr [rdi]
vfmadd231pd ymm0, ymm1, ymmword ptr [rdi]
"""


def main():
    if platform.machine() != "x86_64":
        print("data-races: sizes of operands are those of x86-64, and not compared here")
        return
    instructions = INSTRUCTIONS.strip().split("\n")
    with tempfile.TemporaryDirectory() as directory:
        source, library = os.path.join(directory, "code.s"), os.path.join(directory, "code.so")
        with open(source, "w", encoding="utf-8") as code:
            code.write(".intel_syntax noprefix\n.section .note.GNU-stack\n.text\n")
            for number, instruction in enumerate(instructions):
                code.write(".globl at_%d\nat_%d: %s\n" % (number, number, instruction))
        subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, SOURCE, source], check=True)
        code = ctypes.CDLL(library)
        code.operand_size.restype = ctypes.c_size_t
        wrong = 0
        for number, instruction in enumerate(instructions):
            size = code.operand_size(ctypes.cast(getattr(code, "at_%d" % number), ctypes.c_void_p))
            expected = SIZES[re.search(r"(\w+) ptr", instruction).group(1)]
            if size != expected:
                wrong += 1
                print("data-races: %s has %d bytes for operands.c" % (instruction, size))
    if wrong > 0:
        sys.exit(1)
    print("data-races: sizes of %d operands: as expected" % len(instructions))


main()
