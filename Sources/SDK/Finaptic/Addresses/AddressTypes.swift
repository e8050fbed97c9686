// SPDX-License-Identifier: Apache-2.0

/// What an address is for.
public enum AddressTypes {
  /// Where the applicant lives.
  public static let homeAddressType = "HOME"
  /// Where the applicant works.
  public static let workAddressType = "WORK"
}
