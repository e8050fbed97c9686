// SPDX-License-Identifier: Apache-2.0

#include "CVision.h"
#include "../CScheduling/shim.h"

#include <cerrno>
#include <cstddef>
#include <initializer_list>

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
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

/// What decodes pictures takes a busy processor after those that answer requests: beside a thread of nice value 0 it
/// gets a tenth of one, and all of an idle one (sched(7)).
constexpr int workerNiceness = 10;

bool limit(__rlimit_resource_t resource, rlim_t most) {
  rlimit both = {most, most};
  return setrlimit(resource, &both) == 0;
}

#define IS(value, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, otherwise)
#define ANSWER(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define LET BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define ALLOW(call) IS(__NR_##call, 1), LET
// The lower half of an argument, which is all that the kernel takes of the ones that are looked at here.
#define ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[number]))
// A call whose argument is one of two values.
#define ALLOW_IF(call, number, one, other) \
  IS(__NR_##call, 5), ARGUMENT(number), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, one, 1, 0), IS(other, 1), LET, ANSWER(EPERM)
// Opens for reading only. Access mode 3 asks Landlock for no right, and empties a file all the same when it is told to.
#define READING(call, flags) \
  IS(__NR_##call, 4), ARGUMENT(flags), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 3 | O_CREAT | O_TRUNC, 1, 0), LET, \
      ANSWER(EPERM)

/// Lets pass what the libraries do with memory, time, their own threads, and files that they read (seccomp(2)); every
/// other call is answered as by a kernel that does not have it. So there is no network, no other program, no other
/// process and no change of files. `clone3`, whose flags a filter cannot see, is not there either, so that the C
/// library starts threads by `clone`.
///
/// Reading pictures takes 21 of these calls (measured with strace on Debian 12); the others are those that the C
/// library makes on other machines, for threads, faults and ends.
bool filter() {
#if defined(__x86_64__)
  constexpr unsigned architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr unsigned architecture = AUDIT_ARCH_AARCH64;
#else
#error "no filter for this processor"
#endif
  const unsigned self = unsigned(getpid());
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
      // The x32 numbers of the same calls.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
#endif
      ALLOW(futex), ALLOW(read), ALLOW(write), ALLOW(clock_gettime), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap),
      ALLOW(mprotect), ALLOW(madvise), ALLOW(brk), ALLOW(readv), ALLOW(writev), ALLOW(pread64), ALLOW(lseek),
      ALLOW(close), ALLOW(dup), ALLOW(getdents64), ALLOW(getcwd),
      READING(openat, 2), ALLOW(newfstatat), ALLOW(fstat), ALLOW(statx), ALLOW(readlinkat), ALLOW(faccessat),
#if defined(__x86_64__)
      READING(open, 1), ALLOW(stat), ALLOW(lstat), ALLOW(readlink), ALLOW(access), ALLOW(time), ALLOW(poll),
      ALLOW(arch_prctl),
#endif
      ALLOW(ppoll), ALLOW(gettid), ALLOW(getpid), ALLOW(getppid), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid),
      ALLOW(getegid), ALLOW(uname), ALLOW(sysinfo), ALLOW(getrusage), ALLOW(times), ALLOW(gettimeofday),
      ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(getrandom), ALLOW(getcpu),
      ALLOW(sched_getaffinity), ALLOW(sched_yield), ALLOW(set_robust_list), ALLOW(set_tid_address), ALLOW(rseq),
      ALLOW(membarrier), ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
      ALLOW(restart_syscall), ALLOW(exit), ALLOW(exit_group),
      // Copies of a descriptor and its flags (0 to 3), and whether it is a terminal; not who gets its signals.
      IS(__NR_fcntl, 5), ARGUMENT(1), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, F_DUPFD_CLOEXEC, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, F_GETFL, 1, 0), LET, ANSWER(EPERM), ALLOW_IF(ioctl, 1, TCGETS, FIONREAD),
      // Names of threads and, by PR_SET_VMA, of pieces of memory.
      ALLOW_IF(prctl, 0, PR_SET_NAME, 0x53564d41),
      // Signals and limits of this process only: `abort` sends it a signal, and `setrlimit` names it by 0.
      ALLOW_IF(tgkill, 0, self, self), ALLOW_IF(prlimit64, 0, 0, self),
      // A clone that shares no thread group is a new process.
      IS(__NR_clone, 4), ARGUMENT(0), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x00010000, 0, 1), LET, ANSWER(EPERM),
      ANSWER(ENOSYS),
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

void cvision_return_memory(void) { malloc_trim(0); }

int cvision_spawn(char *const arguments[], char *const environment[], int *process, int *channel) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return 0;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  // A process begins with the mask of the thread that starts it, and threads of a pool block nearly all signals: SIGXCPU,
  // by which the limit of the processor ends it, would wait for ever. What asks the server to end stays blocked: it lets
  // pictures that are being read come to their end.
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t id = 0;
  int failure = posix_spawn(&id, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) {
    close(ends[0]);
    return 0;
  }
  // Its threads, which it starts later, are as nice as it is and have as long slices. Where this process is nicer
  // already, it stays so.
  if (getpriority(PRIO_PROCESS, 0) < workerNiceness) setpriority(PRIO_PROCESS, id_t(id), workerNiceness);
  cscheduling_take_long_slices(id);
  *process = id;
  *channel = ends[0];
  return 1;
}
