// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `traceparent`, and behind the first line `tracestate`: what is taken is written and read the same.
func fuzz(_ bytes: Data) {
  let lines = text(bytes).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  let state = lines.count > 1 ? lines[1] : nil
  if let context = TraceContext(traceparent: lines[0], tracestate: state) {
    precondition(context.traceparent.utf8.count == 55)
    precondition(TraceContext(traceparent: context.traceparent, tracestate: context.state.text) == context)
  }
  if let read = state.flatMap(TraceState.init(parsing:)) { precondition(TraceState(parsing: read.text) == read) }
}
