// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import PowerAuthCore

/// With which factors something is signed, or which factors an activation shall have (powerauth.md §10).
public final class PowerAuthAuthentication: Sendable {
  /// The device itself. Always part of it.
  public let usePossession = true
  /// A fingerprint or a face.
  public let useBiometry: Bool
  /// What the user knows; nil without that factor.
  public let usePassword: PowerAuthCorePassword?
  /// What the biometric dialog shows.
  public let biometryPrompt: String?
  /// Given out by the guard before, for several signatures after one look at the user.
  let biometryKey: BiometryKey?

  init(
    password: PowerAuthCorePassword? = nil, useBiometry: Bool = false, prompt: String? = nil,
    biometryKey: BiometryKey? = nil
  ) {
    // What the user types later is not what was handed in: a signature by it would count as a failed attempt.
    usePassword = password?.unchanging
    self.useBiometry = useBiometry
    biometryPrompt = prompt
    self.biometryKey = biometryKey
  }

  // MARK: To sign

  /// The device alone.
  public static func possession() -> PowerAuthAuthentication { PowerAuthAuthentication() }

  /// The device and a password or PIN.
  public static func possessionWithPassword(_ password: String) -> PowerAuthAuthentication {
    possessionWithPassword(password: PowerAuthCorePassword(string: password))
  }

  /// The device and a password or PIN.
  public static func possessionWithPassword(password: String) -> PowerAuthAuthentication {
    possessionWithPassword(password: PowerAuthCorePassword(string: password))
  }

  /// The device and a password or PIN.
  public static func possessionWithPassword(password: PowerAuthCorePassword) -> PowerAuthAuthentication {
    PowerAuthAuthentication(password: password)
  }

  /// The device and biometry.
  public static func possessionWithBiometry() -> PowerAuthAuthentication { PowerAuthAuthentication(useBiometry: true) }

  /// The device and biometry, with a text for the dialog.
  public static func possessionWithBiometry(prompt: String) -> PowerAuthAuthentication {
    PowerAuthAuthentication(useBiometry: true, prompt: prompt)
  }

  // MARK: To persist an activation

  /// The activation shall have a password or PIN.
  public static func persistWithPassword(password: String) -> PowerAuthAuthentication {
    persistWithPassword(password: PowerAuthCorePassword(string: password))
  }

  /// The activation shall have a password or PIN.
  public static func persistWithPassword(password: PowerAuthCorePassword) -> PowerAuthAuthentication {
    PowerAuthAuthentication(password: password)
  }

  /// The activation shall have a password or PIN, and biometry.
  public static func persistWithPasswordAndBiometry(password: String) -> PowerAuthAuthentication {
    persistWithPasswordAndBiometry(password: PowerAuthCorePassword(string: password))
  }

  /// The activation shall have a password or PIN, and biometry.
  public static func persistWithPasswordAndBiometry(password: PowerAuthCorePassword) -> PowerAuthAuthentication {
    PowerAuthAuthentication(password: password, useBiometry: true)
  }

  /// The type of a signature; with a password and biometry the device proves all three.
  var signatureType: SignatureType {
    switch (usePassword != nil, useBiometry) {
    case (false, false): .possession
    case (true, false): .possessionKnowledge
    case (false, true): .possessionBiometry
    case (true, true): .possessionKnowledgeBiometry
    }
  }
}

/// The key that the guard gave out, or one that looks like it.
struct BiometryKey: Sendable, Redacted {
  let unlockKey: UnlockKey
}
