import Foundation
import Kit

/// The form of the `Date` header, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Returns: nil when it is not such a text, or names no day of the calendar. The day of the week is not checked.
  static func instant(_ text: String) -> Instant? {
    // Twenty-nine bytes leave no room for digits of other scripts.
    let form = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT/
    guard text.utf8.count == 29, let parts = text.wholeMatch(of: form)?.output,
      let month = months.firstIndex(of: String(parts.2))
    else { return nil }
    return Instant(rfc3339: "\(parts.3)-\(month < 9 ? "0" : "")\(month + 1)-\(parts.1)T\(parts.4)Z")
  }
}
