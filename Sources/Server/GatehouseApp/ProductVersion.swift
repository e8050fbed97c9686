// SPDX-License-Identifier: Apache-2.0

/// The version of this program, as `--version`, metrics and PowerAuth's status tell it (SemVer 2.0.0).
package enum ProductVersion {
  package static let current = "0.2.0"
}
