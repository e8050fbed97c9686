// SPDX-License-Identifier: Apache-2.0

/// An error whose case may be shown to operators: a word of ours or the code that a store or a gateway answered with,
/// and never what was sent or received.
package protocol CaseNamedError: Error {
  /// One word, as in `unreachable`, with three digits at most: the log withholds more.
  var caseName: String { get }
}
