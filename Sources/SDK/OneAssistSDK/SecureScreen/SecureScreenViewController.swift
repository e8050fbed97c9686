// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  internal import UIKit

  /// Shows the secure screen over a view controller of the app's.
  @MainActor
  final class UIKitScreenHost: OASecureScreenHost {
    private let presenter: UIViewController
    private var screen: SecureScreenViewController?

    init(on presenter: UIViewController) { self.presenter = presenter }

    /// Whether UIKit would show anything on it; a presentation that UIKit does not show is never reported.
    static func canPresent(on presenter: UIViewController) -> Bool {
      presenter.viewIfLoaded?.window != nil && presenter.presentedViewController == nil
    }

    func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
      // Something else was presented since it was asked for.
      guard Self.canPresent(on: presenter) else { return events(.closed) }
      let screen = SecureScreenViewController(events: events)
      self.screen = screen
      screen.modalPresentationStyle = .fullScreen
      screen.show(content)
      presenter.present(screen, animated: true)
      screen.isMoving = screen.presentingViewController != nil
    }

    func update(_ content: OASecureScreenContent) { screen?.show(content) }

    func dismiss() async {
      guard let screen else { return }
      self.screen = nil
      // UIKit drops a dismissal that comes while the screen is on its way, and with it what should follow.
      await screen.settled()
      guard let presenter = screen.presentingViewController else { return }
      await withCheckedContinuation { continuation in presenter.dismiss(animated: true) { continuation.resume() } }
    }
  }

  /// Numbers and code in large black digits on white, and a way back (specification §7.2).
  @MainActor
  final class SecureScreenViewController: UIViewController {
    private let events: @Sendable (OASecureScreenEvent) -> Void
    private let numbers = UILabel()
    private let code = UILabel()
    private let hint = UILabel()
    private let spinner = UIActivityIndicatorView(style: .large)
    /// Over everything while the app is not active: the system's picture for the app switcher shows this (§7.3).
    private let cover = UIView()
    private var tokens: [any NSObjectProtocol] = []
    /// Whether it is on its way to the screen, or from it.
    var isMoving = false
    private var whenSettled: (() -> Void)?

    init(events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
      self.events = events
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override var prefersStatusBarHidden: Bool { true }

    func show(_ content: OASecureScreenContent) {
      numbers.text = content.imeis.joined(separator: "\n")
      code.text = content.code
      hint.text = content.hint
      let isWaiting = content.code == nil && !content.imeis.isEmpty
      if isWaiting { spinner.startAnimating() } else { spinner.stopAnimating() }
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      view.backgroundColor = .white
      for (label, size) in [(numbers, 40.0), (code, 56.0), (hint, 32.0)] {
        label.font = .monospacedDigitSystemFont(ofSize: size, weight: .bold)
        (label.textColor, label.textAlignment, label.numberOfLines) = (.black, .center, 0)
        (label.adjustsFontSizeToFitWidth, label.minimumScaleFactor) = (true, 0.5)
      }
      let back = UIButton(type: .system, primaryAction: UIAction(title: "Back") { [events] _ in events(.closed) })
      let stack = UIStackView(arrangedSubviews: [numbers, code, hint, spinner, back])
      (stack.axis, stack.spacing, stack.translatesAutoresizingMaskIntoConstraints) = (.vertical, 24, false)
      view.addSubview(stack)
      NSLayoutConstraint.activate([
        stack.centerYAnchor.constraint(equalTo: view.centerYAnchor),
        stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
        stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
      ])
      cover.backgroundColor = .white
      (cover.frame, cover.autoresizingMask) = (view.bounds, [.flexibleWidth, .flexibleHeight])
      cover.isHidden = UIApplication.shared.applicationState != .background
      view.addSubview(cover)
      observe()
    }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      settle()
    }

    override func viewWillDisappear(_ animated: Bool) {
      super.viewWillDisappear(animated)
      isMoving = true
    }

    override func viewDidDisappear(_ animated: Bool) {
      super.viewDidDisappear(animated)
      settle()
      for token in tokens { NotificationCenter.default.removeObserver(token) }
      tokens = []
      // Also when the app or the system took it away.
      events(.closed)
    }

    /// Waits until it has arrived, or is gone.
    func settled() async {
      guard isMoving else { return }
      await withCheckedContinuation { continuation in whenSettled = { continuation.resume() } }
    }

    private func settle() {
      isMoving = false
      whenSettled?()
      whenSettled = nil
    }

    private func observe() {
      let told: [(Notification.Name, OASecureScreenEvent)] = [
        (UIApplication.didEnterBackgroundNotification, .enteredBackground),
        (UIApplication.willEnterForegroundNotification, .enteredForeground),
        (UIApplication.userDidTakeScreenshotNotification, .screenshotTaken),
      ]
      tokens = told.map { name, event in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [events] _ in events(event) }
      }
      // Before the handlers return: what is told to `events` is done after the system took its picture.
      let covered = [
        (UIApplication.willResignActiveNotification, true), (UIApplication.didEnterBackgroundNotification, true),
        (UIApplication.didBecomeActiveNotification, false),
      ]
      tokens += covered.map { name, isCovered in
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { [cover] _ in
          MainActor.assumeIsolated { cover.isHidden = !isCovered }
        }
      }
    }
  }
#endif
