// SPDX-License-Identifier: Apache-2.0

extension MessageTexts {
  /// In Arabic.
  static let arabic: [Name: Text] = [
    Name(.confirmContact, .sms): Text(
      body: """
        {house}: {code} رمز تأكيد رقم هاتفك، صالح لمدة {minutes} دقائق. لا تشاركه مع أحد، ولا حتى معنا.

        @{host} #{code}
        """),
    Name(.confirmContact, .email): Text(
      subject: "تأكيد بريدك الإلكتروني لدى {house}",
      body: """
        مرحبًا،

        يقوم شخص ما، نأمل أن تكون أنت، بفتح حساب لدى {house} وقد أدخل عنوان البريد الإلكتروني هذا.
        اكتب هذا الرمز في التطبيق لتأكيده:

        {code}

        الرمز صالح لمدة {minutes} دقائق. لا تشاركه مع أحد، فموظفونا لن يطلبوه منك أبدًا.
        إن لم تكن أنت فتجاهل هذه الرسالة، فلن يحدث شيء من دون الرمز.

        {house}
        {host}
        """),
    Name(.applicationCompleted, .sms): Text(
      body: "{house}: اكتمل طلبك. أهلًا بك! افتح التطبيق للبدء."),
    Name(.applicationCompleted, .email): Text(
      subject: "أهلًا بك في {house}",
      body: """
        مرحبًا،

        اكتمل طلبك وأصبحت الآن عميلًا لدى {house}. افتح التطبيق للبدء.

        {house}
        {host}
        """),
    Name(.applicationRejected, .sms): Text(
      body: "{house}: نعتذر عن عدم قبول طلبك. يرجى التواصل معنا إن كانت لديك أسئلة."),
    Name(.applicationRejected, .email): Text(
      subject: "طلبك لدى {house}",
      body: """
        مرحبًا،

        شكرًا لطلبك. نعتذر عن عدم تمكننا من قبوله.
        إن كنت تعتقد أن هناك خطأ فيرجى التواصل معنا.

        {house}
        {host}
        """),
    Name(.applicationInReview, .sms): Text(
      body: "{house}: نقوم بمراجعة طلبك. يعرض التطبيق ما يمكنك فعله."),
    Name(.applicationInReview, .email): Text(
      subject: "طلبك لدى {house} قيد المراجعة",
      body: """
        مرحبًا،

        نقوم بمراجعة طلبك. يعرض التطبيق ما إذا كان هناك ما يلزمك فعله.
        سنخبرك فور صدور القرار.

        {house}
        {host}
        """),
    Name(.applicationContinued, .sms): Text(
      body: "{house}: يستمر طلبك. افتح التطبيق للمتابعة."),
    Name(.applicationContinued, .email): Text(
      subject: "طلبك لدى {house} مستمر",
      body: """
        مرحبًا،

        راجعنا طلبك وهو مستمر. افتح التطبيق للمتابعة.

        {house}
        {host}
        """),
    Name(.callAgain, .sms): Text(
      body: "{house}: يحتاج طلبك إلى مكالمة أخرى. افتح التطبيق لحجزها."),
    Name(.callAgain, .email): Text(
      subject: "مكالمة أخرى من أجل طلبك لدى {house}",
      body: """
        مرحبًا،

        لم تحسم مكالمتنا كل شيء، لذا نحتاج إلى مكالمة أخرى. افتح التطبيق لاختيار موعد.

        {house}
        {host}
        """),
    Name(.retakeAsked, .sms): Text(
      body: "{house}: نحتاج إلى صور أخرى من أجل طلبك. افتح التطبيق لمعرفة أيها."),
    Name(.retakeAsked, .email): Text(
      subject: "صور أخرى من أجل طلبك لدى {house}",
      body: """
        مرحبًا،

        نحتاج إلى صور أخرى من أجل طلبك. {words}

        افتح التطبيق لالتقاطها. أُلغيت المكالمة المحجوزة.

        {house}
        {host}
        """),
    Name(.callReminder, .sms): Text(
      body: "{house}: موعد مكالمتك {time}. افتح التطبيق للانضمام قبل الموعد بخمس دقائق."),
    Name(.callReminder, .email): Text(
      subject: "مكالمتك مع {house} في {time}",
      body: """
        مرحبًا،

        موعد مكالمتك {time}. افتح التطبيق للانضمام قبل الموعد بخمس دقائق، ولتكن وثيقة هويتك معك.
        إن لم يعد الموعد مناسبًا فاختر غيره في التطبيق.

        {house}
        {host}
        """),
    Name(.callCancelled, .sms): Text(
      body: "{house}: اضطررنا إلى إلغاء مكالمتنا. افتح التطبيق لحجز موعد آخر."),
    Name(.callCancelled, .email): Text(
      subject: "أُلغيت مكالمتك مع {house}",
      body: """
        مرحبًا،

        نأسف لاضطرارنا إلى إلغاء مكالمتنا. افتح التطبيق لحجز موعد آخر.

        {house}
        {host}
        """),
    Name(.sessionEnded, .sms): Text(
      body: "{house}: أُغلق طلبك في التطبيق لأن إذن الدخول استُخدم مرتين. إن لم تكن أنت فتواصل معنا."),
    Name(.sessionEnded, .email): Text(
      subject: "{house}: أُغلق طلبك في التطبيق",
      body: """
        مرحبًا،

        استُخدم إذن الدخول إلى طلبك مرتين. حرصًا على سلامتك أغلقناه في التطبيق،
        ويمكنك أن تبدأ طلبًا جديدًا هناك. إن كنت تستخدم التطبيق على جهاز واحد فقط فتواصل معنا،
        فقد يكون لدى شخص آخر إذن الدخول الخاص بك.

        {house}
        {host}
        """),
    Name(.signInCode, .sms): Text(
      body: "{house}: {code} هو رمزك. يسري لمدة {minutes} دقائق. لا تخبر به أحدًا."),
    Name(.signInCode, .email): Text(
      subject: "{house}: رمزك",
      body: """
        هذا الرمز لتسجيل دخولك إلى {house}:

        {code}

        يسري لمدة {minutes} دقائق. لا تخبر به أحدًا، فموظفونا لن يطلبوه منك أبدًا.
        """),
    Name(.verifyEmail, .email): Text(
      subject: "{house}: تأكيد بريدك الإلكتروني",
      body: """
        قام شخص ما بالتسجيل لدى {house} بهذا البريد الإلكتروني. إن كنت أنت فأكّد العنوان هنا:

        {link}

        إن لم تكن أنت فلا تفعل شيئًا.

        {house}
        """),
    Name(.resetPassword, .email): Text(
      subject: "{house}: تعيين كلمة مرور جديدة",
      body: """
        طلب شخص ما كلمة مرور جديدة لحسابك لدى {house}. لتعيينها افتح هذه الصفحة خلال {minutes} دقيقة:

        {link}

        إن لم تكن أنت فلا تفعل شيئًا، وستبقى كلمة مرورك كما هي.

        {house}
        """),
    Name(.transactionCreated, .push): Text(
      subject: "{house}", body: "هناك معاملة جديدة على حسابك. افتح التطبيق للاطلاع عليها."),
    Name(.messageReceived, .push): Text(
      subject: "{house}", body: "لديك رسالة جديدة منا. افتح التطبيق لقراءتها."),
    Name(.chatJoined, .chat): Text(subject: "النظام", body: "انضم {name} إلى المحادثة."),
    Name(.chatLeft, .chat): Text(subject: "النظام", body: "غادر {name} المحادثة."),
    Name(.chatClosed, .chat): Text(subject: "النظام", body: "أُغلقت المحادثة."),
  ]
}
