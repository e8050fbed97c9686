// SPDX-License-Identifier: Apache-2.0

/// Codes of Canada Post and of the United States Postal Service, in the order of their names.
extension ReferenceTables {
  static let provinces = """
    AB | Alberta | Alberta
    BC | British Columbia | Colombie-Britannique
    MB | Manitoba | Manitoba
    NB | New Brunswick | Nouveau-Brunswick
    NL | Newfoundland and Labrador | Terre-Neuve-et-Labrador
    NS | Nova Scotia | Nouvelle-Écosse
    NT | Northwest Territories | Territoires du Nord-Ouest
    NU | Nunavut | Nunavut
    ON | Ontario | Ontario
    PE | Prince Edward Island | Île-du-Prince-Édouard
    QC | Quebec | Québec
    SK | Saskatchewan | Saskatchewan
    YT | Yukon | Yukon
    """

  static let states = """
    AL | Alabama | Alabama
    AK | Alaska | Alaska
    AZ | Arizona | Arizona
    AR | Arkansas | Arkansas
    CA | California | Californie
    CO | Colorado | Colorado
    CT | Connecticut | Connecticut
    DE | Delaware | Delaware
    DC | District of Columbia | District de Columbia
    FL | Florida | Floride
    GA | Georgia | Géorgie
    HI | Hawaii | Hawaï
    ID | Idaho | Idaho
    IL | Illinois | Illinois
    IN | Indiana | Indiana
    IA | Iowa | Iowa
    KS | Kansas | Kansas
    KY | Kentucky | Kentucky
    LA | Louisiana | Louisiane
    ME | Maine | Maine
    MD | Maryland | Maryland
    MA | Massachusetts | Massachusetts
    MI | Michigan | Michigan
    MN | Minnesota | Minnesota
    MS | Mississippi | Mississippi
    MO | Missouri | Missouri
    MT | Montana | Montana
    NE | Nebraska | Nebraska
    NV | Nevada | Nevada
    NH | New Hampshire | New Hampshire
    NJ | New Jersey | New Jersey
    NM | New Mexico | Nouveau-Mexique
    NY | New York | New York
    NC | North Carolina | Caroline du Nord
    ND | North Dakota | Dakota du Nord
    OH | Ohio | Ohio
    OK | Oklahoma | Oklahoma
    OR | Oregon | Oregon
    PA | Pennsylvania | Pennsylvanie
    RI | Rhode Island | Rhode Island
    SC | South Carolina | Caroline du Sud
    SD | South Dakota | Dakota du Sud
    TN | Tennessee | Tennessee
    TX | Texas | Texas
    UT | Utah | Utah
    VT | Vermont | Vermont
    VA | Virginia | Virginie
    WA | Washington | Washington
    WV | West Virginia | Virginie-Occidentale
    WI | Wisconsin | Wisconsin
    WY | Wyoming | Wyoming
    """
}
