// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeCore

/// What an app decides about its authenticator, and its ports to the device.
public struct AuthenticatorSetup: Sendable {
  /// How the app names itself.
  public var device: DeviceDescription
  /// The app's, a BCP 47 tag: services answer in it, and `AuthenticatorTexts` speaks it when it can.
  public var language = "en"
  /// Where sign-in pages have to end.
  public var returnURL = ReturnRedirect.returnURL
  /// Of links and QR codes, in lower case; those that the app has registered.
  public var schemes: Set<String> = [DeepLink.scheme]
  /// In lower case; of other apps that an action of a QR code may return to. Besides them it may return to pages of the
  /// web by https, and to the app itself by `schemes`.
  public var returnSchemes: Set<String> = []
  /// Shows the bank's sign-in page.
  public var signInPage: SignInPage
  /// Face or finger, once the user has allowed them.
  public var biometrics = Biometrics.device
  /// Binds the private keys to the device's user; nil leaves them to the store alone.
  public var keyProtection = KeyProtection.device
  /// Where the device is.
  public var places = Places.none
  /// Every number.
  public var policy = AuthenticatorPolicy()
  /// Draws a connection's key; a test gives known ones.
  package var makeKey: @Sendable () throws(SaltEdgeError) -> RSAPrivateKey = { () throws(SaltEdgeError) in
    try RSAPrivateKey.generate()
  }

  /// With the ports that have no default.
  public init(device: DeviceDescription, signInPage: SignInPage) {
    (self.device, self.signInPage) = (device, signInPage)
  }
}

/// Every number of an authenticator, with the value of the specification.
public struct AuthenticatorPolicy: Sendable {
  /// Between two polls (§10.5).
  public var pollInterval = Duration.seconds(3)
  /// Polls of one authorization in a row that may fail before it is given up.
  public var pollFailuresMax = 20
  /// How long something decided or expired stays in the list (§10.6).
  public var finalsShown = Duration.seconds(4)
  /// How long after connecting a v2 service may not know the connection yet (§5.3).
  public var connectingGrace = Duration.seconds(60)
  /// Without a touch, after which the app locks (§10.4).
  public var idleMax = Duration.seconds(60)
  /// How long a passcode or biometrics is good for the one confirmation that it was asked for.
  public var presenceLifetime = Duration.seconds(60)
  /// Of a passcode (§10.4).
  public var passcodeDigits = 4
  /// Of PBKDF2.
  public var passcodeRounds = PasscodeDigest.roundsByDefault
  /// What follows a wrong passcode.
  public var lockRules = LockRules.standard
  /// How long revoking at services may take after everything was deleted from the device.
  public var farewellDeadline = Duration.seconds(5)
  /// How long services may take and be silent.
  public var limits = ExchangeLimits()
  /// How long after each failed attempt to connect or to pick an action up it is tried again, where that does nothing
  /// twice (§16).
  public var repeatDelays: [Duration] = [.seconds(1), .seconds(5), .seconds(25)]
  /// Connections in one app.
  public var connectionsMax = 100

  /// The specification's values.
  public init() {}
}
