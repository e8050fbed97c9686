// SPDX-License-Identifier: Apache-2.0

extension Currency {
  /// ISO 4217 currencies of everyday money, one a line: code, number, minor units, English name, Arabic name.
  /// Fund codes, precious metals, accounting units and test codes are left out. Public facts as of 2026-11.
  static let table = """
    AED | 784 | 2 | United Arab Emirates Dirham | درهم إماراتي
    AFN | 971 | 2 | Afghan Afghani | أفغاني
    ALL | 008 | 2 | Albanian Lek | ليك ألباني
    AMD | 051 | 2 | Armenian Dram | درام أرميني
    AOA | 973 | 2 | Angolan Kwanza | كوانزا أنغولي
    ARS | 032 | 2 | Argentine Peso | بيزو أرجنتيني
    AUD | 036 | 2 | Australian Dollar | دولار أسترالي
    AWG | 533 | 2 | Aruban Florin | فلورن أروبي
    AZN | 944 | 2 | Azerbaijani Manat | مانات أذربيجان
    BAM | 977 | 2 | Bosnia-Herzegovina Convertible Mark | مارك البوسنة والهرسك قابل للتحويل
    BBD | 052 | 2 | Barbadian Dollar | دولار بربادوسي
    BDT | 050 | 2 | Bangladeshi Taka | تاكا بنغلاديشي
    BHD | 048 | 3 | Bahraini Dinar | دينار بحريني
    BIF | 108 | 0 | Burundian Franc | فرنك بروندي
    BMD | 060 | 2 | Bermudan Dollar | دولار برمودي
    BND | 096 | 2 | Brunei Dollar | دولار بروناي
    BOB | 068 | 2 | Bolivian Boliviano | بوليفيانو بوليفي
    BRL | 986 | 2 | Brazilian Real | ريال برازيلي
    BSD | 044 | 2 | Bahamian Dollar | دولار باهامي
    BTN | 064 | 2 | Bhutanese Ngultrum | نولتوم بوتاني
    BWP | 072 | 2 | Botswanan Pula | بولا بتسواني
    BYN | 933 | 2 | Belarusian Ruble | روبل بيلاروسي
    BZD | 084 | 2 | Belize Dollar | دولار بليزي
    CAD | 124 | 2 | Canadian Dollar | دولار كندي
    CDF | 976 | 2 | Congolese Franc | فرنك كونغولي
    CHF | 756 | 2 | Swiss Franc | فرنك سويسري
    CLP | 152 | 0 | Chilean Peso | بيزو تشيلي
    CNY | 156 | 2 | Chinese Yuan | يوان صيني
    COP | 170 | 2 | Colombian Peso | بيزو كولومبي
    CRC | 188 | 2 | Costa Rican Colón | كولن كوستاريكي
    CUP | 192 | 2 | Cuban Peso | بيزو كوبي
    CVE | 132 | 2 | Cape Verdean Escudo | اسكودو الرأس الأخضر
    CZK | 203 | 2 | Czech Koruna | كرونة تشيكية
    DJF | 262 | 0 | Djiboutian Franc | فرنك جيبوتي
    DKK | 208 | 2 | Danish Krone | كرونة دنماركية
    DOP | 214 | 2 | Dominican Peso | بيزو الدومنيكان
    DZD | 012 | 2 | Algerian Dinar | دينار جزائري
    EGP | 818 | 2 | Egyptian Pound | جنيه مصري
    ERN | 232 | 2 | Eritrean Nakfa | ناكفا أريتري
    ETB | 230 | 2 | Ethiopian Birr | بير أثيوبي
    EUR | 978 | 2 | Euro | يورو
    FJD | 242 | 2 | Fijian Dollar | دولار فيجي
    FKP | 238 | 2 | Falkland Islands Pound | جنيه جزر فوكلاند
    GBP | 826 | 2 | British Pound | جنيه إسترليني
    GEL | 981 | 2 | Georgian Lari | لارى جورجي
    GHS | 936 | 2 | Ghanaian Cedi | سيدي غانا
    GIP | 292 | 2 | Gibraltar Pound | جنيه جبل طارق
    GMD | 270 | 2 | Gambian Dalasi | دلاسي غامبي
    GNF | 324 | 0 | Guinean Franc | فرنك غينيا
    GTQ | 320 | 2 | Guatemalan Quetzal | كوتزال غواتيمالا
    GYD | 328 | 2 | Guyanaese Dollar | دولار غيانا
    HKD | 344 | 2 | Hong Kong Dollar | دولار هونغ كونغ
    HNL | 340 | 2 | Honduran Lempira | ليمبيرا هنداروس
    HTG | 332 | 2 | Haitian Gourde | جوردى هايتي
    HUF | 348 | 2 | Hungarian Forint | فورينت هنغاري
    IDR | 360 | 2 | Indonesian Rupiah | روبية إندونيسية
    ILS | 376 | 2 | Israeli New Shekel | شيكل إسرائيلي جديد
    INR | 356 | 2 | Indian Rupee | روبية هندي
    IQD | 368 | 3 | Iraqi Dinar | دينار عراقي
    IRR | 364 | 2 | Iranian Rial | ريال إيراني
    ISK | 352 | 0 | Icelandic Króna | كرونة أيسلندية
    JMD | 388 | 2 | Jamaican Dollar | دولار جامايكي
    JOD | 400 | 3 | Jordanian Dinar | دينار أردني
    JPY | 392 | 0 | Japanese Yen | ين ياباني
    KES | 404 | 2 | Kenyan Shilling | شلن كينيي
    KGS | 417 | 2 | Kyrgystani Som | سوم قيرغستاني
    KHR | 116 | 2 | Cambodian Riel | رييال كمبودي
    KMF | 174 | 0 | Comorian Franc | فرنك جزر القمر
    KPW | 408 | 2 | North Korean Won | وون كوريا الشمالية
    KRW | 410 | 0 | South Korean Won | وون كوريا الجنوبية
    KWD | 414 | 3 | Kuwaiti Dinar | دينار كويتي
    KYD | 136 | 2 | Cayman Islands Dollar | دولار جزر كيمن
    KZT | 398 | 2 | Kazakhstani Tenge | تينغ كازاخستاني
    LAK | 418 | 2 | Laotian Kip | كيب لاوسي
    LBP | 422 | 2 | Lebanese Pound | جنيه لبناني
    LKR | 144 | 2 | Sri Lankan Rupee | روبية سريلانكية
    LRD | 430 | 2 | Liberian Dollar | دولار ليبيري
    LSL | 426 | 2 | Lesotho Loti | لوتي ليسوتو
    LYD | 434 | 3 | Libyan Dinar | دينار ليبي
    MAD | 504 | 2 | Moroccan Dirham | درهم مغربي
    MDL | 498 | 2 | Moldovan Leu | ليو مولدوفي
    MGA | 969 | 2 | Malagasy Ariary | أرياري مدغشقر
    MKD | 807 | 2 | Macedonian Denar | دينار مقدوني
    MMK | 104 | 2 | Myanmar Kyat | كيات ميانمار
    MNT | 496 | 2 | Mongolian Tugrik | توغروغ منغولي
    MOP | 446 | 2 | Macanese Pataca | باتاكا ماكاوي
    MRU | 929 | 2 | Mauritanian Ouguiya | أوقية موريتانية
    MUR | 480 | 2 | Mauritian Rupee | روبية موريشيوسية
    MVR | 462 | 2 | Maldivian Rufiyaa | روفيه جزر المالديف
    MWK | 454 | 2 | Malawian Kwacha | كواشا مالاوي
    MXN | 484 | 2 | Mexican Peso | بيزو مكسيكي
    MYR | 458 | 2 | Malaysian Ringgit | رينغيت ماليزي
    MZN | 943 | 2 | Mozambican Metical | متكال موزمبيقي
    NAD | 516 | 2 | Namibian Dollar | دولار ناميبي
    NGN | 566 | 2 | Nigerian Naira | نايرا نيجيري
    NIO | 558 | 2 | Nicaraguan Córdoba | قرطبة نيكاراغوا
    NOK | 578 | 2 | Norwegian Krone | كرونة نرويجية
    NPR | 524 | 2 | Nepalese Rupee | روبية نيبالي
    NZD | 554 | 2 | New Zealand Dollar | دولار نيوزيلندي
    OMR | 512 | 3 | Omani Rial | ريال عماني
    PAB | 590 | 2 | Panamanian Balboa | بالبوا بنمي
    PEN | 604 | 2 | Peruvian Sol | سول بيروفي
    PGK | 598 | 2 | Papua New Guinean Kina | كينا بابوا غينيا الجديدة
    PHP | 608 | 2 | Philippine Peso | بيزو فلبيني
    PKR | 586 | 2 | Pakistani Rupee | روبية باكستاني
    PLN | 985 | 2 | Polish Zloty | زلوتي بولندي
    PYG | 600 | 0 | Paraguayan Guarani | غواراني باراغواي
    QAR | 634 | 2 | Qatari Riyal | ريال قطري
    RON | 946 | 2 | Romanian Leu | ليو روماني
    RSD | 941 | 2 | Serbian Dinar | دينار صربي
    RUB | 643 | 2 | Russian Ruble | روبل روسي
    RWF | 646 | 0 | Rwandan Franc | فرنك رواندي
    SAR | 682 | 2 | Saudi Riyal | ريال سعودي
    SBD | 090 | 2 | Solomon Islands Dollar | دولار جزر سليمان
    SCR | 690 | 2 | Seychellois Rupee | روبية سيشيلية
    SDG | 938 | 2 | Sudanese Pound | جنيه سوداني
    SEK | 752 | 2 | Swedish Krona | كرونة سويدية
    SGD | 702 | 2 | Singapore Dollar | دولار سنغافوري
    SHP | 654 | 2 | St. Helena Pound | جنيه سانت هيلين
    SLE | 925 | 2 | Sierra Leonean Leone | ليون سيراليوني
    SOS | 706 | 2 | Somali Shilling | شلن صومالي
    SRD | 968 | 2 | Surinamese Dollar | دولار سورينامي
    SSP | 728 | 2 | South Sudanese Pound | جنيه جنوب السودان
    STN | 930 | 2 | São Tomé & Príncipe Dobra | دوبرا ساو تومي وبرينسيبي
    SVC | 222 | 2 | Salvadoran Colón | كولون سلفادوري
    SYP | 760 | 2 | Syrian Pound | ليرة سورية
    SZL | 748 | 2 | Swazi Lilangeni | ليلانجيني سوازيلندي
    THB | 764 | 2 | Thai Baht | باخت تايلاندي
    TJS | 972 | 2 | Tajikistani Somoni | سوموني طاجيكستاني
    TMT | 934 | 2 | Turkmenistani Manat | مانات تركمانستان
    TND | 788 | 3 | Tunisian Dinar | دينار تونسي
    TOP | 776 | 2 | Tongan Paʻanga | بانغا تونغا
    TRY | 949 | 2 | Turkish Lira | ليرة تركية
    TTD | 780 | 2 | Trinidad & Tobago Dollar | دولار ترينداد وتوباغو
    TWD | 901 | 2 | New Taiwan Dollar | دولار تايواني
    TZS | 834 | 2 | Tanzanian Shilling | شلن تنزاني
    UAH | 980 | 2 | Ukrainian Hryvnia | هريفنيا أوكراني
    UGX | 800 | 0 | Ugandan Shilling | شلن أوغندي
    USD | 840 | 2 | US Dollar | دولار أمريكي
    UYU | 858 | 2 | Uruguayan Peso | بيزو اوروغواي
    UZS | 860 | 2 | Uzbekistani Som | سوم أوزبكستاني
    VED | 926 | 2 | Bolívar Soberano | بوليفار سوبيرانو
    VES | 928 | 2 | Venezuelan Bolívar | بوليفار فنزويلي
    VND | 704 | 0 | Vietnamese Dong | دونج فيتنامي
    VUV | 548 | 0 | Vanuatu Vatu | فاتو فانواتو
    WST | 882 | 2 | Samoan Tala | تالا ساموا
    XAF | 950 | 0 | Central African CFA Franc | فرنك وسط أفريقي
    XCD | 951 | 2 | East Caribbean Dollar | دولار شرق الكاريبي
    XCG | 532 | 2 | Caribbean guilder | غيلدر كاريبي
    XOF | 952 | 0 | West African CFA Franc | فرنك غرب أفريقي
    XPF | 953 | 0 | CFP Franc | فرنك سي إف بي
    YER | 886 | 2 | Yemeni Rial | ريال يمني
    ZAR | 710 | 2 | South African Rand | راند جنوب أفريقيا
    ZMW | 967 | 2 | Zambian Kwacha | كواشا زامبي
    ZWG | 924 | 2 | Zimbabwean Gold | ذهب زيمبابوي
    """
}
