/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What clang 14 writes by default, DWARF 5, with -O1 -g -fno-pic -fno-addrsig -fno-ident:
 *
 *     int twice(int number)
 *     {
 *         return 2 * number;
 *     }
 */
	.text
	.file	"twice.c"
	.globl	twice
	.p2align	4, 0x90
	.type	twice,@function
twice:
.Lfunc_begin0:
	.file	0 "/nowhere" "twice.c"
	.loc	0 2 0
	.cfi_startproc
	.loc	0 3 11 prologue_end
	leal	(%rdi,%rdi), %eax
	.loc	0 3 2 is_stmt 0
	retq
.Ltmp0:
.Lfunc_end0:
	.size	twice, .Lfunc_end0-twice
	.cfi_endproc
	.section	.debug_abbrev,"",@progbits
	.byte	1
	.byte	17
	.byte	1
	.byte	37
	.byte	37
	.byte	19
	.byte	5
	.byte	3
	.byte	37
	.byte	114
	.byte	23
	.byte	16
	.byte	23
	.byte	27
	.byte	37
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	115
	.byte	23
	.byte	0
	.byte	0
	.byte	2
	.byte	46
	.byte	1
	.byte	17
	.byte	27
	.byte	18
	.byte	6
	.byte	64
	.byte	24
	.byte	122
	.byte	25
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	39
	.byte	25
	.byte	73
	.byte	19
	.byte	63
	.byte	25
	.byte	0
	.byte	0
	.byte	3
	.byte	5
	.byte	0
	.byte	2
	.byte	24
	.byte	3
	.byte	37
	.byte	58
	.byte	11
	.byte	59
	.byte	11
	.byte	73
	.byte	19
	.byte	0
	.byte	0
	.byte	4
	.byte	36
	.byte	0
	.byte	3
	.byte	37
	.byte	62
	.byte	11
	.byte	11
	.byte	11
	.byte	0
	.byte	0
	.byte	0
	.section	.debug_info,"",@progbits
.Lcu_begin0:
	.long	.Ldebug_info_end0-.Ldebug_info_start0
.Ldebug_info_start0:
	.short	5
	.byte	1
	.byte	8
	.long	.debug_abbrev
	.byte	1
	.byte	0
	.short	12
	.byte	1
	.long	.Lstr_offsets_base0
	.long	.Lline_table_start0
	.byte	2
	.byte	0
	.long	.Lfunc_end0-.Lfunc_begin0
	.long	.Laddr_table_base0
	.byte	2
	.byte	0
	.long	.Lfunc_end0-.Lfunc_begin0
	.byte	1
	.byte	87
	.byte	3
	.byte	0
	.byte	1
	.long	61
	.byte	3
	.byte	1
	.byte	85
	.byte	5
	.byte	0
	.byte	1
	.long	61
	.byte	0
	.byte	4
	.byte	4
	.byte	5
	.byte	4
	.byte	0
.Ldebug_info_end0:
	.section	.debug_str_offsets,"",@progbits
	.long	28
	.short	5
	.short	0
.Lstr_offsets_base0:
	.section	.debug_str,"MS",@progbits,1
.Linfo_string0:
	.byte	0
.Linfo_string1:
	.asciz	"twice.c"
.Linfo_string2:
	.asciz	"/nowhere"
.Linfo_string3:
	.asciz	"twice"
.Linfo_string4:
	.asciz	"int"
.Linfo_string5:
	.asciz	"number"
	.section	.debug_str_offsets,"",@progbits
	.long	.Linfo_string0
	.long	.Linfo_string1
	.long	.Linfo_string2
	.long	.Linfo_string3
	.long	.Linfo_string4
	.long	.Linfo_string5
	.section	.debug_addr,"",@progbits
	.long	.Ldebug_addr_end0-.Ldebug_addr_start0
.Ldebug_addr_start0:
	.short	5
	.byte	8
	.byte	0
.Laddr_table_base0:
	.quad	.Lfunc_begin0
.Ldebug_addr_end0:
	.section	".note.GNU-stack","",@progbits
	.section	.debug_line,"",@progbits
.Lline_table_start0:
