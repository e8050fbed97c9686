// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseUI

/// What the parts of an app say by themselves; everything else that is shown comes from the screens.
enum PartText {
  case beginning, cameraRefused, cameraMissing, cannotBegin, choosePicture, noCode, takePicture, tryAgain

  /// - Parameter locale: of the screen that the part is shown on.
  func text(_ locale: Locale) -> String {
    switch (self, ScreenLanguage(tag: locale.identifier)) {
    case (.beginning, .english): "One moment…"
    case (.beginning, .french): "Un instant…"
    case (.beginning, .arabic): "لحظة من فضلك…"
    case (.cannotBegin, .english): "The app cannot begin. Check the network and try again."
    case (.cannotBegin, .french): "L’app ne peut pas démarrer. Vérifiez le réseau et réessayez."
    case (.cannotBegin, .arabic): "لا يمكن للتطبيق أن يبدأ. تحقق من الشبكة وحاول مرة أخرى."
    case (.tryAgain, .english): "Try again"
    case (.tryAgain, .french): "Réessayer"
    case (.tryAgain, .arabic): "المحاولة مرة أخرى"
    case (.cameraRefused, .english): "The app may not use the camera. Allow it in Settings."
    case (.cameraRefused, .french): "L’app ne peut pas utiliser l’appareil photo. Autorisez-le dans Réglages."
    case (.cameraRefused, .arabic): "لا يمكن للتطبيق استخدام الكاميرا. اسمح بذلك من الإعدادات."
    case (.cameraMissing, .english): "This device has no camera for it."
    case (.cameraMissing, .french): "Cet appareil n’a pas d’appareil photo pour cela."
    case (.cameraMissing, .arabic): "لا توجد كاميرا لهذا الغرض في هذا الجهاز."
    case (.choosePicture, .english): "Choose a picture"
    case (.choosePicture, .french): "Choisir une image"
    case (.choosePicture, .arabic): "اختيار صورة"
    case (.noCode, .english): "There is no code in this picture."
    case (.noCode, .french): "Il n’y a pas de code dans cette image."
    case (.noCode, .arabic): "لا يوجد رمز في هذه الصورة."
    case (.takePicture, .english): "Take the picture"
    case (.takePicture, .french): "Prendre la photo"
    case (.takePicture, .arabic): "التقاط الصورة"
    }
  }
}
