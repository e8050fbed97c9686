// SPDX-License-Identifier: Apache-2.0

/// What a comparison of two documents, or of a document and an application, comes to (identity-documents §8.3).
public enum Verdict: String, Hashable, Sendable, Codable, CaseIterable {
  case pass, review, fail

  /// The worst of several: fail before review before pass; pass for none.
  public static func worst(of verdicts: some Sequence<Verdict>) -> Verdict {
    var worst = Verdict.pass
    for verdict in verdicts {
      if verdict == .fail { return .fail }
      if verdict == .review { worst = .review }
    }
    return worst
  }
}
