// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeAuthenticator

// Names of earlier releases, so that an app that was written with them compiles.

/// The earlier name of `SignInPresenter`.
@available(*, deprecated, renamed: "SignInPresenter")
public typealias SignInDesk = SignInPresenter

extension AuthenticatorPerformer {
  /// See `init(_:signIn:ports:clock:)`.
  /// - Parameter desk: the one whose page the authenticator was set up with.
  @available(*, deprecated, renamed: "init(_:signIn:ports:clock:)")
  public init(
    _ authenticator: Authenticator, desk: SignInPresenter, ports: AuthenticatorPorts, clock: ClientClock = .live
  ) {
    self.init(authenticator, signIn: desk, ports: ports, clock: clock)
  }
}

/// The earlier name of `AuthenticatorEntryPoint`.
@available(*, deprecated, renamed: "AuthenticatorEntryPoint")
public typealias AuthenticatorArrival = AuthenticatorEntryPoint

extension AuthenticatorScreens {
  /// The earlier name of `entryPoint`.
  @available(*, deprecated, renamed: "entryPoint")
  public var arrival: AuthenticatorEntryPoint? { entryPoint }
}
