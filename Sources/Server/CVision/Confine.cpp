#include "CVision.h"

#include <cerrno>
#include <cstddef>

#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

namespace {

bool limit(__rlimit_resource_t resource, rlim_t most) {
  rlimit both = {most, most};
  return setrlimit(resource, &both) == 0;
}

#define REFUSE(call, error) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))

/// No network, no other program, no other process and no change of files (seccomp(2)). Threads are allowed: `clone3`,
/// whose flags a filter cannot see, is answered as by an old kernel, so that the C library asks by `clone`.
bool filter() {
#if defined(__x86_64__)
  constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "no filter for this processor"
#endif
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
      // The x32 numbers of the same calls.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      REFUSE(fork, EPERM), REFUSE(vfork, EPERM), REFUSE(unlink, EPERM), REFUSE(rename, EPERM), REFUSE(chmod, EPERM),
#endif
      REFUSE(socket, EPERM), REFUSE(socketpair, EPERM), REFUSE(connect, EPERM), REFUSE(bind, EPERM),
      REFUSE(listen, EPERM), REFUSE(accept4, EPERM), REFUSE(sendto, EPERM), REFUSE(sendmsg, EPERM),
      REFUSE(execve, EPERM), REFUSE(execveat, EPERM), REFUSE(ptrace, EPERM), REFUSE(process_vm_readv, EPERM),
      REFUSE(process_vm_writev, EPERM), REFUSE(unlinkat, EPERM), REFUSE(renameat2, EPERM), REFUSE(fchmodat, EPERM),
      REFUSE(mount, EPERM), REFUSE(unshare, EPERM), REFUSE(setns, EPERM), REFUSE(bpf, EPERM),
      REFUSE(io_uring_setup, EPERM), REFUSE(userfaultfd, EPERM), REFUSE(kill, EPERM), REFUSE(tkill, EPERM),
      REFUSE(clone3, ENOSYS),
      // A clone that shares no thread group is a new process.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog rules = {sizeof program / sizeof *program, program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &rules) == 0;
}

}  // namespace

int cvision_confine(uint64_t memory, uint64_t files) {
  // It leaves no core with a picture in it and writes no file.
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && limit(RLIMIT_CORE, 0) &&
         limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, files) && limit(RLIMIT_AS, memory) && filter();
}

int cvision_allow_processor(uint64_t seconds) {
  rusage used;
  rlimit processor;
  if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &processor) != 0) return 0;
  processor.rlim_cur = rlim_t(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1) + seconds;
  return setrlimit(RLIMIT_CPU, &processor) == 0;
}

int cvision_spawn(char *const arguments[], char *const environment[], int *process, int *channel) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  pid_t id = 0;
  int failure = posix_spawn(&id, arguments[0], &actions, nullptr, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return 0;
  }
  *process = id;
  *channel = ends[0];
  return 1;
}
