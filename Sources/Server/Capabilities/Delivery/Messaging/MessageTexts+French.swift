// SPDX-License-Identifier: Apache-2.0

extension MessageTexts {
  /// In French, with the no-break spaces that its punctuation needs; those of SMS keep to what fits into one (GSM 03.38).
  static let french: [Name: Text] = [
    Name(.confirmContact, .sms): Text(
      body: """
        {house} : {code} confirme votre numéro. Valable {minutes} min. Ne le communiquez à personne.

        @{host} #{code}
        """),
    Name(.confirmContact, .email): Text(
      subject: "Confirmez votre adresse courriel pour {house}",
      body: """
        Bonjour,

        une personne, vous sans doute, ouvre un compte chez {house} et a donné cette adresse courriel.
        Saisissez ce code dans l’application pour la confirmer\u{a0}:

        {code}

        Il est valable {minutes} minutes. Ne le communiquez à personne\u{a0}: notre personnel ne vous le demandera jamais.
        Si ce n’était pas vous, ignorez ce message\u{a0}; sans le code, il ne se passe rien.

        {house}
        {host}
        """),
    Name(.applicationCompleted, .sms): Text(
      body: "{house} : votre demande est complète. Bienvenue ! Ouvrez l'application pour commencer."),
    Name(.applicationCompleted, .email): Text(
      subject: "Bienvenue chez {house}",
      body: """
        Bonjour,

        votre demande est complète et vous êtes maintenant client de {house}. Ouvrez l’application pour commencer.

        {house}
        {host}
        """),
    Name(.applicationRejected, .sms): Text(
      body: "{house} : nous ne pouvons pas accepter votre demande. Contactez-nous si vous avez des questions."),
    Name(.applicationRejected, .email): Text(
      subject: "Votre demande chez {house}",
      body: """
        Bonjour,

        merci de votre demande. Nous regrettons de ne pas pouvoir l’accepter.
        Si vous pensez qu’il s’agit d’une erreur, veuillez nous contacter.

        {house}
        {host}
        """),
    Name(.applicationInReview, .sms): Text(
      body: "{house} : nous examinons votre demande. Votre application montre la suite."),
    Name(.applicationInReview, .email): Text(
      subject: "Votre demande chez {house} est en cours d’examen",
      body: """
        Bonjour,

        nous examinons votre demande. L’application indique si quelque chose vous reste à faire.
        Nous vous informerons dès qu’une décision sera prise.

        {house}
        {host}
        """),
    Name(.applicationContinued, .sms): Text(
      body: "{house} : votre demande se poursuit. Continuez dans votre application."),
    Name(.applicationContinued, .email): Text(
      subject: "Votre demande chez {house} se poursuit",
      body: """
        Bonjour,

        nous avons examiné votre demande et elle se poursuit. Ouvrez l’application pour continuer.

        {house}
        {host}
        """),
    Name(.callAgain, .sms): Text(
      body: "{house} : un autre appel est nécessaire pour votre demande. Réservez-le dans votre application."),
    Name(.callAgain, .email): Text(
      subject: "Un autre appel pour votre demande chez {house}",
      body: """
        Bonjour,

        notre appel n’a pas tout réglé\u{a0}: un autre est nécessaire. Ouvrez l’application pour choisir une heure.

        {house}
        {host}
        """),
    Name(.retakeAsked, .sms): Text(
      body: "{house} : il nous faut d'autres photos pour votre demande. Votre application vous dit lesquelles."),
    Name(.retakeAsked, .email): Text(
      subject: "D’autres photos pour votre demande chez {house}",
      body: """
        Bonjour,

        il nous faut d’autres photos pour votre demande. {words}

        Ouvrez l’application pour les prendre. Un appel réservé est annulé.

        {house}
        {host}
        """),
    Name(.callReminder, .sms): Text(
      body: "{house} : votre appel est à {time}. Rejoignez-le dans l'application, cinq minutes avant."),
    Name(.callReminder, .email): Text(
      subject: "Votre appel avec {house} à {time}",
      body: """
        Bonjour,

        votre appel est à {time}. Rejoignez-le dans l’application, dès cinq minutes avant. Gardez votre pièce
        d’identité à portée de main. Si l’heure ne vous convient plus, choisissez-en une autre dans l’application.

        {house}
        {host}
        """),
    Name(.callCancelled, .sms): Text(
      body: "{house} : notre appel est annulé. Choisissez une autre heure dans l'application."),
    Name(.callCancelled, .email): Text(
      subject: "Votre appel avec {house} est annulé",
      body: """
        Bonjour,

        nous avons dû annuler notre appel et nous en excusons. Choisissez une autre heure dans l’application.

        {house}
        {host}
        """),
    Name(.sessionEnded, .sms): Text(
      body: "{house} : votre demande a été fermée car son accès a servi deux fois. Contactez-nous en cas de doute."),
    Name(.sessionEnded, .email): Text(
      subject: "{house}\u{a0}: votre demande a été fermée dans l’application",
      body: """
        Bonjour,

        l’accès à votre demande a été utilisé deux fois. Par sécurité, nous l’avons fermée dans l’application\u{a0};
        vous pouvez y en commencer une nouvelle. Si vous utilisez l’application sur un seul appareil,
        contactez-nous\u{a0}: une autre personne a peut-être eu votre accès.

        {house}
        {host}
        """),
    Name(.signInCode, .sms): Text(
      body: "{house} : {code} est votre code. Il est valable {minutes} minutes. Ne le communiquez à personne."),
    Name(.signInCode, .email): Text(
      subject: "{house}\u{a0}: votre code",
      body: """
        Ce code vous connecte à {house}\u{a0}:

        {code}

        Il est valable {minutes} minutes. Ne le communiquez à personne\u{a0}: notre personnel ne vous le demandera jamais.
        """),
    Name(.verifyEmail, .email): Text(
      subject: "{house}\u{a0}: confirmez votre adresse courriel",
      body: """
        Une personne s’est inscrite chez {house} avec cette adresse courriel. Si c’était vous, confirmez l’adresse ici\u{a0}:

        {link}

        Si ce n’était pas vous, ne faites rien.

        {house}
        """),
    Name(.resetPassword, .email): Text(
      subject: "{house}\u{a0}: choisissez un nouveau mot de passe",
      body: """
        Un nouveau mot de passe a été demandé pour votre compte chez {house}. Pour le choisir, ouvrez cette page dans les \
        {minutes} minutes\u{a0}:

        {link}

        Si ce n’était pas vous, ne faites rien\u{a0}: votre mot de passe reste le même.

        {house}
        """),
    Name(.transactionCreated, .push): Text(
      subject: "{house}", body: "Une nouvelle opération figure à votre compte. Ouvrez l’application pour la voir."),
    Name(.messageReceived, .push): Text(
      subject: "{house}", body: "Vous avez un nouveau message de notre part. Ouvrez l’application pour le lire."),
    Name(.chatJoined, .chat): Text(subject: "Système", body: "{name} a rejoint la conversation."),
    Name(.chatLeft, .chat): Text(subject: "Système", body: "{name} a quitté la conversation."),
    Name(.chatClosed, .chat): Text(subject: "Système", body: "La conversation est terminée."),
  ]
}
