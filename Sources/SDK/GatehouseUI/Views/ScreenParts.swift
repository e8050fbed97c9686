#if canImport(SwiftUI)
  public import SwiftUI

  /// The views that only the app can give: the camera, and the web view of another party's page.
  public struct ScreenParts {
    /// Looks for codes, and gives the text of each.
    public var scanner: @MainActor (_ scanned: @escaping (String) -> Void) -> AnyView
    /// Loads an address without cookies of earlier pages, asks before each navigation whether it is the end, cancels it
    /// then, and gives it back; nil when the user leaves.
    public var page:
      @MainActor (_ address: String, _ isEnd: @escaping (String) -> Bool, _ ended: @escaping (String?) -> Void)
        -> AnyView

    /// Creates the value from its members.
    public init(
      scanner: @escaping @MainActor (_ scanned: @escaping (String) -> Void) -> AnyView,
      page:
        @escaping @MainActor (
          _ address: String, _ isEnd: @escaping (String) -> Bool, _ ended: @escaping (String?) -> Void
        ) -> AnyView
    ) {
      (self.scanner, self.page) = (scanner, page)
    }
  }

  /// How the screens look.
  public struct ScreenTheme {
    /// Of buttons, switches and bars.
    public var accent: Color
    /// Between elements, in points.
    public var spacing: CGFloat

    /// Creates the value from its members.
    public init(accent: Color = .accentColor, spacing: CGFloat = 16) {
      (self.accent, self.spacing) = (accent, spacing)
    }
  }
#endif
