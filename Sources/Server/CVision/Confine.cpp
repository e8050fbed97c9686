#include "CVision.h"

#include <cerrno>
#include <cstddef>
#include <initializer_list>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>

namespace {

bool limit(__rlimit_resource_t resource, rlim_t most) {
  rlimit both = {most, most};
  return setrlimit(resource, &both) == 0;
}

#define REFUSE_NUMBER(number, error) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define REFUSE(call, error) REFUSE_NUMBER(__NR_##call, error)

// Opens for reading only. Access mode 3 asks Landlock for no right, and empties a file all the same when it is told to.
#define READING(call, flags) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), \
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[flags])), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 3 | O_CREAT | O_TRUNC, 0, 1), \
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

// Calls of Linux 6.6 and 6.13, which older headers do not name; the numbers are the same for all processors.
constexpr unsigned fchmodat2 = 452, setxattrat = 463, removexattrat = 466;

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
      REFUSE(chown, EPERM), REFUSE(lchown, EPERM), REFUSE(utime, EPERM), REFUSE(utimes, EPERM),
      REFUSE(futimesat, EPERM), REFUSE(link, EPERM), REFUSE(symlink, EPERM), REFUSE(mkdir, EPERM), REFUSE(rmdir, EPERM),
      REFUSE(mknod, EPERM), REFUSE(creat, EPERM), READING(open, 1),
#endif
      REFUSE(socket, EPERM), REFUSE(socketpair, EPERM), REFUSE(connect, EPERM), REFUSE(bind, EPERM),
      REFUSE(listen, EPERM), REFUSE(accept4, EPERM), REFUSE(sendto, EPERM), REFUSE(sendmsg, EPERM),
      REFUSE(execve, EPERM), REFUSE(execveat, EPERM), REFUSE(ptrace, EPERM), REFUSE(process_vm_readv, EPERM),
      REFUSE(process_vm_writev, EPERM), REFUSE(unlinkat, EPERM), REFUSE(renameat2, EPERM), REFUSE(fchmodat, EPERM),
      REFUSE(mount, EPERM), REFUSE(unshare, EPERM), REFUSE(setns, EPERM), REFUSE(bpf, EPERM),
      REFUSE(io_uring_setup, EPERM), REFUSE(userfaultfd, EPERM), REFUSE(kill, EPERM), REFUSE(tkill, EPERM),
      REFUSE(clone3, ENOSYS), REFUSE(truncate, EPERM), REFUSE(ftruncate, EPERM), REFUSE(fchmod, EPERM),
      REFUSE_NUMBER(fchmodat2, EPERM), REFUSE(fchown, EPERM), REFUSE(fchownat, EPERM), REFUSE(utimensat, EPERM),
      REFUSE(setxattr, EPERM), REFUSE(lsetxattr, EPERM), REFUSE(fsetxattr, EPERM), REFUSE(removexattr, EPERM),
      REFUSE(lremovexattr, EPERM), REFUSE(fremovexattr, EPERM), REFUSE_NUMBER(setxattrat, EPERM),
      REFUSE_NUMBER(removexattrat, EPERM), REFUSE(renameat, EPERM), REFUSE(linkat, EPERM), REFUSE(symlinkat, EPERM),
      REFUSE(mkdirat, EPERM), REFUSE(mknodat, EPERM), REFUSE(open_by_handle_at, EPERM), REFUSE(rt_sigqueueinfo, EPERM),
      REFUSE(rt_tgsigqueueinfo, EPERM), REFUSE(pidfd_open, EPERM), REFUSE(pidfd_send_signal, EPERM),
      REFUSE(setpriority, EPERM), REFUSE(shmget, EPERM), REFUSE(msgget, EPERM), REFUSE(semget, EPERM),
      REFUSE(keyctl, EPERM), REFUSE(add_key, EPERM), REFUSE(request_key, EPERM),
      REFUSE(sched_setaffinity, EPERM), REFUSE(sched_setscheduler, EPERM), REFUSE(sched_setparam, EPERM),
      REFUSE(sched_setattr, EPERM), REFUSE(ioprio_set, EPERM), REFUSE(migrate_pages, EPERM), REFUSE(move_pages, EPERM),
      REFUSE(shmctl, EPERM), REFUSE(semctl, EPERM), REFUSE(msgctl, EPERM), READING(openat, 2), REFUSE(openat2, ENOSYS),
      // Who gets the signals of a file: F_SETOWN and F_SETOWN_EX, FIOSETOWN and SIOCSPGRP.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_fcntl, 1, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_ioctl, 0, 7),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[1])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 8, 4, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 15, 3, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x8901, 2, 0), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x8902, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      // Signals and limits of this process only: `abort` sends it a signal, and `setrlimit` names it by 0.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, unsigned(getpid()), 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
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

/// Opens what is beneath `path` for reading in a set of Landlock rules. What is not there needs no rule.
bool allow(int rules, const char *path) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return errno == ENOENT;
  struct stat status;
  landlock_path_beneath_attr rule = {LANDLOCK_ACCESS_FS_READ_FILE, place};
  bool isFolder = fstat(place, &status) == 0 && S_ISDIR(status.st_mode);
  if (isFolder) rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
  bool isAllowed = syscall(__NR_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) == 0;
  close(place);
  return isAllowed;
}

/// No files but the system's: a decoder that an attacker controls must not read the key ring. Libraries look
/// into the system's folders when they are first used.
bool hide(const char *const readable[]) {
  if (syscall(__NR_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION) < 1) return true;
  landlock_ruleset_attr all = {};
  // The rights of the first version, which every kernel with Landlock knows.
  all.handled_access_fs = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;
  int rules = int(syscall(__NR_landlock_create_ruleset, &all, sizeof all, 0));
  if (rules < 0) return false;
  bool isHidden = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  for (const char *path : {"/usr", "/lib", "/lib64", "/etc/localtime", "/proc/self", "/proc/cpuinfo", "/proc/meminfo",
                           "/sys/devices/system/cpu", "/sys/fs/cgroup", "/dev/null", "/dev/urandom"})
    isHidden = isHidden && allow(rules, path);
  for (; *readable; readable++) isHidden = isHidden && allow(rules, *readable);
  isHidden = isHidden && syscall(__NR_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return isHidden;
}

}  // namespace

int cvision_confine(uint64_t memory, uint64_t files, const char *const readable[]) {
  // It leaves no core with a picture in it and writes no file.
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && limit(RLIMIT_CORE, 0) &&
         limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_NOFILE, files) && limit(RLIMIT_AS, memory) && hide(readable) &&
         filter();
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
