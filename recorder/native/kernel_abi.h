/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers of the Linux interface on x86-64 that several parts need and Valgrind's headers lack. */
#ifndef RECORDER_KERNEL_ABI_H
#define RECORDER_KERNEL_ABI_H

#define AT_FDCWD_ (-100)
#define O_PATH_ 010000000
#define O_DIRECTORY_ 0200000
#define O_NOFOLLOW_ 0400000
#define O_ACCMODE_ 3
#define F_RDLCK_ 0
#define F_UNLCK_ 2
#define F_OFD_SETLK_ 37
#define F_OFD_SETLKW_ 38
#define WUNTRACED_ 2
#define WCONTINUED_ 8
#define CLD_EXITED_ 1
#define CLD_DUMPED_ 3

#define FALLOC_KEEP_SIZE 1
#define FALLOC_PUNCH_HOLE 2
#define FALLOC_COLLAPSE_RANGE 8
#define FALLOC_ZERO_RANGE 16
#define FALLOC_INSERT_RANGE 32

#define SEEK_DATA_ 3

#define TCGETS_ 0x5401
#define FICLONE_ 0x40049409
#define FICLONERANGE_ 0x4020940d
#define FIDEDUPERANGE_ 0xc0189436
#define FS_IOC_FIEMAP_ 0xc020660b
#define FS_IOC_GETFSMAP_ 0xc0c0583b
#define PAGEMAP_SCAN_ 0xc0606610
#define NS_GET_OWNER_UID_ 0xb704
#define TIOCGSOFTCAR_ 0x5419
#define TIOCGETD_ 0x5424
#define TIOCGLCKTRMIOS_ 0x5456
#define FIOGETOWN_ 0x8903
#define SIOCGIFCONF_ 0x8912
#define SIOCGIFNAME_ 0x8910
#define SIOCGIFMAP_ 0x8970
#define IOC_SIZE(request) ((request) >> 16 & 0x3fff)
#define IOC_READS(request) ((request) >> 31)

#define F_GETLK_ 5
#define F_OFD_GETLK_ 36
#define F_GET_RW_HINT_ 1035
#define F_GET_FILE_RW_HINT_ 1037

#define PR_SET_MM_ 35
#define PR_SET_MM_MAP_SIZE_ 15
#define PR_GET_AUXV_ 0x41555856
#define PR_GET_TSC_ 25
#define PR_GET_CHILD_SUBREAPER_ 37
#define PR_GET_TID_ADDRESS_ 40

#define PTRACE_PEEKSIGINFO_ 0x4209
#define PTRACE_GETREGSET_ 0x4204
#define PTRACE_GETSIGMASK_ 0x420a
#define PTRACE_GET_SYSCALL_INFO_ 0x420e

#define IPC_STAT_ 2
#define MSG_STAT_ 11
#define MSG_STAT_ANY_ 13
#define IPC_64_ 0x100

#define KEYCTL_GET_SECURITY_ 17

#define AIO_PREAD 0
#define AIO_PWRITE 1
#define AIO_FSYNC 2
#define AIO_FDSYNC 3
#define AIO_PREADV 7
#define AIO_PWRITEV 8

#define FUTEX_COMMAND 0x7f
#define FUTEX_WAIT_ 0
#define FUTEX_WAKE_ 1
#define FUTEX_WAKE_OP_ 5
#define FUTEX_LOCK_PI_ 6
#define FUTEX_UNLOCK_PI_ 7
#define FUTEX_TRYLOCK_PI_ 8
#define FUTEX_WAIT_BITSET_ 9
#define FUTEX_WAKE_BITSET_ 10
#define FUTEX_WAIT_REQUEUE_PI_ 11
#define FUTEX_CMP_REQUEUE_PI_ 12
#define FUTEX_LOCK_PI2_ 13
#define FUTEX_CLOCK_REALTIME_ 256

#endif
