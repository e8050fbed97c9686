// SPDX-License-Identifier: Apache-2.0

/// How a task's writes stand to those of others, where an engine has one writer. Like `WorkOrigin` it goes along with a
/// task, because a store knows nothing of who asks.
package enum WorkPriority: Sendable {
  case usual
  /// After what others write: work for a network whose requests cost much lately.
  case low

  @TaskLocal package static var current = WorkPriority.usual
}
