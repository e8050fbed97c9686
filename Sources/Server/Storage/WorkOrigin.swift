// SPDX-License-Identifier: Apache-2.0

/// What a task's work is part of, as the tracing library names it. A transaction runs on a thread of its engine, which
/// knows nothing of the task that asked for it; this goes along, so that what is written down can name its cause.
package enum WorkOrigin {
  @TaskLocal package static var current: String?
}
