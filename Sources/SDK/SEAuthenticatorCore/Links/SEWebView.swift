// SPDX-License-Identifier: Apache-2.0

#if canImport(WebKit)
  public import Foundation
  public import WebKit

  /// Learns how signing in at a bank ended.
  @MainActor
  public protocol SEWebViewDelegate: NSObjectProtocol {
    /// In v2 the token is encrypted still.
    func webView(_ webView: WKWebView, didReceiveCallback url: URL, accessToken: AccessToken)
    func webView(_ webView: WKWebView, didReceiveCallbackWithError error: String?)
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
  }

  /// Shows a bank's sign-in page and ends when it redirects to the app.
  public class SEWebView: WKWebView, WKNavigationDelegate {
    public weak var delegate: (any SEWebViewDelegate)?
    private let handler = SERedirectHandler()

    public init(frame: CGRect) {
      super.init(frame: frame, configuration: WKWebViewConfiguration())
      navigationDelegate = self
    }

    public required init?(coder: NSCoder) {
      super.init(coder: coder)
      navigationDelegate = self
    }

    public func webView(
      _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
      decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
      guard let url = navigationAction.request.url else { return decisionHandler(.allow) }
      switch handler.decision(for: url) {
      case .proceed: return decisionHandler(.allow)
      case .succeeded(let token): delegate?.webView(self, didReceiveCallback: url, accessToken: token)
      case .failed(let message): delegate?.webView(self, didReceiveCallbackWithError: message)
      }
      decisionHandler(.cancel)
    }

    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
      delegate?.webView(webView, didFinish: navigation)
    }

    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
      delegate?.webView(webView, didReceiveCallbackWithError: error.localizedDescription)
    }

    public func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
      guard !SERedirectHandler.isCancelledRedirect(error) else { return }
      delegate?.webView(webView, didReceiveCallbackWithError: error.localizedDescription)
    }
  }
#endif
