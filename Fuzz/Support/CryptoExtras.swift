// SPDX-License-Identifier: Apache-2.0

import Foundation

/// RSA that finds every signature right.
public enum _RSA {
  public enum Signing {
    public enum Padding { case PSS, insecurePKCS1v1_5 }

    public struct RSASignature { public init(rawRepresentation bytes: Data) {} }

    public struct PublicKey: Sendable {
      public init(n: Data, e: Data) throws {}

      public func isValidSignature(_ signature: RSASignature, for digest: [UInt8], padding: Padding) -> Bool { true }
    }
  }
}
