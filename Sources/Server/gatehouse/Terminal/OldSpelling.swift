// SPDX-License-Identifier: Apache-2.0

/// Commands as the version before spelled them. They work in this version, with a hint, and go with the next one.
struct OldSpelling: Equatable {
  let old, new: [String]

  private init(_ old: String, _ new: String) {
    (self.old, self.new) = (
      old.split(separator: " ").map(String.init), new.split(separator: " ").map(String.init)
    )
  }

  static let all = [
    OldSpelling("read-document", "document read"),
    OldSpelling("parse-mrz", "mrz parse"),
    OldSpelling("export", "customer export"),
    OldSpelling("erase", "customer erase"),
    OldSpelling("saltedge add", "saltedge provider add"),
    OldSpelling("saltedge change", "saltedge provider change"),
    OldSpelling("saltedge list", "saltedge provider list"),
    OldSpelling("saltedge export-user", "saltedge user export"),
    OldSpelling("saltedge erase-user", "saltedge user erase"),
    OldSpelling("saltedge demo-bank", "saltedge demo-bank add"),
    OldSpelling("oneassist add-partner", "oneassist partner add"),
    OldSpelling("oneassist partners", "oneassist partner list"),
    OldSpelling("oneassist add-plan", "oneassist plan add"),
    OldSpelling("oneassist reviews", "oneassist membership list"),
    OldSpelling("oneassist pictures", "oneassist membership pictures"),
    OldSpelling("oneassist photo", "oneassist membership photo"),
    OldSpelling("oneassist code", "oneassist membership code"),
    OldSpelling("oneassist verdict", "oneassist membership decide"),
    OldSpelling("oneassist export", "oneassist membership export"),
    OldSpelling("oneassist erase", "oneassist membership erase"),
    OldSpelling("wultra reviews", "wultra review list"),
    OldSpelling("wultra pictures", "wultra review pictures"),
    OldSpelling("wultra decide", "wultra review decide"),
    OldSpelling("wultra export", "wultra user export"),
    OldSpelling("wultra erase", "wultra user erase"),
    OldSpelling("finaptic bundles", "finaptic bundle"),
    OldSpelling("finaptic bank clients", "finaptic bank client list"),
    OldSpelling("finaptic stop freeze", "finaptic account freeze"),
    OldSpelling("finaptic stop unfreeze", "finaptic account unfreeze"),
    OldSpelling("finaptic stop close", "finaptic account close"),
    OldSpelling("finaptic stop remove-user", "finaptic account remove-user"),
    OldSpelling("finaptic stop block-card", "finaptic card block"),
    OldSpelling("finaptic stop unblock-card", "finaptic card unblock"),
    OldSpelling("finaptic card-step-up", "finaptic card step-up"),
    OldSpelling("finaptic addresses", "finaptic address"),
    OldSpelling("finaptic sandbox-client", "finaptic sandbox-client add"),
    OldSpelling("powerauth recovery-code", "powerauth recovery-code issue"),
  ]

  /// - Parameter arguments: of the program, without its name.
  /// - Returns: the arguments in the spelling of today, and how they were spelled, when that was another one.
  static func renewed(_ arguments: [String]) -> (arguments: [String], spelling: OldSpelling?) {
    let skipped = arguments.first == "help" ? 1 : 0
    let words = arguments.dropFirst(skipped)
    guard let found = all.first(where: { words.starts(with: $0.old) && !words.starts(with: $0.new) }) else {
      return (arguments, nil)
    }
    return (Array(arguments.prefix(skipped)) + found.new + words.dropFirst(found.old.count), found)
  }

  /// For standard error.
  var hint: String {
    """
    Hint: `gatehouse \(old.joined(separator: " "))` is `gatehouse \(new.joined(separator: " "))` now; the next version \
    does not know the old one.
    """
  }
}
