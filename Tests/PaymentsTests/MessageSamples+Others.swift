// SPDX-License-Identifier: Apache-2.0

/// Messages written by hand, not by our own writer, valid by the published schemas.
extension MessageSamples {
  static let paymentOrders = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
      <CstmrCdtTrfInitn>
        <GrpHdr>
          <MsgId>ORDERS-1</MsgId><CreDtTm>2026-11-26T10:11:12</CreDtTm><NbOfTxs>3</NbOfTxs><CtrlSum>161.51</CtrlSum>
          <InitgPty><Nm>Häuser AG</Nm></InitgPty>
        </GrpHdr>
        <PmtInf>
          <PmtInfId>BATCH-1</PmtInfId><PmtMtd>TRF</PmtMtd><BtchBookg>true</BtchBookg><NbOfTxs>2</NbOfTxs>
          <CtrlSum>151.50</CtrlSum>
          <PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>
          <ReqdExctnDt><Dt>2026-11-27</Dt></ReqdExctnDt>
          <Dbtr><Nm>Häuser AG</Nm></Dbtr>
          <DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct>
          <DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt>
          <ChrgBr>SLEV</ChrgBr>
          <CdtTrfTxInf>
            <PmtId><InstrId>I-1</InstrId><EndToEndId>E2E-1</EndToEndId></PmtId>
            <Amt><InstdAmt Ccy="EUR">150.00</InstdAmt></Amt>
            <CdtrAgt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></CdtrAgt>
            <Cdtr><Nm>Ann Other</Nm></Cdtr>
            <CdtrAcct><Id><IBAN>GB82WEST12345698765432</IBAN></Id></CdtrAcct>
            <RmtInf><Ustrd>Invoice 7</Ustrd></RmtInf>
          </CdtTrfTxInf>
          <CdtTrfTxInf>
            <PmtId><EndToEndId>E2E-2</EndToEndId></PmtId>
            <Amt><InstdAmt Ccy="EUR">1.5</InstdAmt></Amt>
          </CdtTrfTxInf>
        </PmtInf>
        <PmtInf>
          <PmtInfId>BATCH-2</PmtInfId><PmtMtd>TRF</PmtMtd>
          <ReqdExctnDt><DtTm>2026-11-28T08:00:00Z</DtTm></ReqdExctnDt>
          <Dbtr/>
          <DbtrAcct><Id><Othr><Id>77</Id></Othr></Id></DbtrAcct>
          <DbtrAgt><FinInstnId/></DbtrAgt>
          <CdtTrfTxInf>
            <PmtId>
              <EndToEndId>NOTPROVIDED</EndToEndId><UETR>86d7da8e-6e41-4466-b9bb-9b41d5814d5a</UETR>
            </PmtId>
            <Amt><InstdAmt Ccy="CAD">10.01</InstdAmt></Amt><ChrgBr>SHAR</ChrgBr>
          </CdtTrfTxInf>
        </PmtInf>
      </CstmrCdtTrfInitn>
    </Document>
    """

  static let statuses = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.002.001.10">
      <FIToFIPmtStsRpt>
        <GrpHdr>
          <MsgId>STATUS-1</MsgId><CreDtTm>2026-11-26T12:00:00Z</CreDtTm>
          <InstgAgt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></InstgAgt>
        </GrpHdr>
        <OrgnlGrpInfAndSts>
          <OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId><GrpSts>PART</GrpSts>
        </OrgnlGrpInfAndSts>
        <TxInfAndSts>
          <StsId>S-1</StsId>
          <OrgnlGrpInf>
            <OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
          </OrgnlGrpInf>
          <OrgnlEndToEndId>E2E-1</OrgnlEndToEndId><OrgnlTxId>TX-1</OrgnlTxId>
          <TxSts>RJCT</TxSts>
          <StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>The account was closed.</AddtlInf></StsRsnInf>
          <StsRsnInf><Rsn><Prtry>OUR-7</Prtry></Rsn></StsRsnInf>
        </TxInfAndSts>
        <TxInfAndSts>
          <OrgnlUETR>86d7da8e-6e41-4466-b9bb-9b41d5814d5a</OrgnlUETR><TxSts>ACSC</TxSts>
        </TxInfAndSts>
      </FIToFIPmtStsRpt>
    </Document>
    """

  static let returns = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pacs.004.001.09">
      <PmtRtr>
        <GrpHdr>
          <MsgId>RETURN-1</MsgId><CreDtTm>2026-11-27T09:00:00Z</CreDtTm><NbOfTxs>2</NbOfTxs><CtrlSum>158.00</CtrlSum>
          <TtlRtrdIntrBkSttlmAmt Ccy="EUR">158.00</TtlRtrdIntrBkSttlmAmt><IntrBkSttlmDt>2026-11-27</IntrBkSttlmDt>
          <SttlmInf><SttlmMtd>CLRG</SttlmMtd></SttlmInf>
          <InstgAgt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></InstgAgt>
        </GrpHdr>
        <OrgnlGrpInf>
          <OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
          <RtrRsnInf><Rsn><Cd>AC04</Cd></Rsn></RtrRsnInf>
        </OrgnlGrpInf>
        <TxInf>
          <RtrId>R-1</RtrId><OrgnlEndToEndId>E2E-1</OrgnlEndToEndId><OrgnlTxId>TX-1</OrgnlTxId>
          <OrgnlIntrBkSttlmAmt Ccy="EUR">150.00</OrgnlIntrBkSttlmAmt>
          <RtrdIntrBkSttlmAmt Ccy="EUR">148.00</RtrdIntrBkSttlmAmt>
        </TxInf>
        <TxInf>
          <OrgnlGrpInf>
            <OrgnlMsgId>PAY-2</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
          </OrgnlGrpInf>
          <OrgnlTxId>TX-9</OrgnlTxId>
          <RtrdIntrBkSttlmAmt Ccy="EUR">10.00</RtrdIntrBkSttlmAmt>
          <RtrRsnInf><Rsn><Cd>AM05</Cd></Rsn></RtrRsnInf>
        </TxInf>
      </PmtRtr>
    </Document>
    """

  static let notification = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08">
      <BkToCstmrDbtCdtNtfctn>
        <GrpHdr><MsgId>NOTICES-1</MsgId><CreDtTm>2026-11-26T11:00:00Z</CreDtTm></GrpHdr>
        <Ntfctn>
          <Id>NOTICE-1</Id>
          <Acct><Id><Othr><Id>SETTLEMENT-9</Id></Othr></Id><Ccy>CAD</Ccy></Acct>
          <Ntry>
            <Amt Ccy="CAD">25.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
            <BookgDt><Dt>2026-11-26</Dt></BookgDt><ValDt><Dt>2026-11-26</Dt></ValDt>
            <AcctSvcrRef>BANK-1</AcctSvcrRef>
            <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
            <NtryDtls>
              <TxDtls>
                <Refs><EndToEndId>E2E-7</EndToEndId><TxId>TX-7</TxId></Refs>
                <Amt Ccy="CAD">25.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
                <RltdPties>
                  <Dbtr><Pty><Nm>Ann Other</Nm></Pty></Dbtr>
                  <DbtrAcct><Id><Othr><Id>11-22</Id></Othr></Id></DbtrAcct>
                  <Cdtr><Agt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></Agt></Cdtr>
                  <CdtrAcct><Id><Othr><Id>1000001</Id></Othr></Id></CdtrAcct>
                </RltdPties>
                <RltdAgts>
                  <InstgAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></InstgAgt>
                  <DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt>
                </RltdAgts>
                <RmtInf><Ustrd>Rent</Ustrd></RmtInf>
              </TxDtls>
            </NtryDtls>
          </Ntry>
        </Ntfctn>
      </BkToCstmrDbtCdtNtfctn>
    </Document>
    """

  static let cancellation = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.056.001.08">
      <FIToFIPmtCxlReq>
        <Assgnmt>
          <Id>CASE-1</Id>
          <Assgnr><Agt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></Agt></Assgnr>
          <Assgne><Pty><Nm>The other bank</Nm></Pty></Assgne>
          <CreDtTm>2026-11-26T13:00:00Z</CreDtTm>
        </Assgnmt>
        <CtrlData><NbOfTxs>1</NbOfTxs><CtrlSum>150</CtrlSum></CtrlData>
        <Undrlyg>
          <TxInf>
            <CxlId>C-1</CxlId>
            <OrgnlGrpInf>
              <OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
            </OrgnlGrpInf>
            <OrgnlEndToEndId>E2E-1</OrgnlEndToEndId><OrgnlTxId>TX-1</OrgnlTxId>
            <OrgnlIntrBkSttlmAmt Ccy="EUR">150.00</OrgnlIntrBkSttlmAmt>
            <OrgnlIntrBkSttlmDt>2026-11-27</OrgnlIntrBkSttlmDt>
            <CxlRsnInf><Rsn><Cd>DUPL</Cd></Rsn><AddtlInf>Paid twice.</AddtlInf></CxlRsnInf>
          </TxInf>
        </Undrlyg>
      </FIToFIPmtCxlReq>
    </Document>
    """

  static let cancellationAnswer = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.029.001.09">
      <RsltnOfInvstgtn>
        <Assgnmt>
          <Id>ANSWER-1</Id>
          <Assgnr><Agt><FinInstnId><BICFI>WESTGB2L</BICFI></FinInstnId></Agt></Assgnr>
          <Assgne><Agt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></Agt></Assgne>
          <CreDtTm>2026-11-26T15:00:00Z</CreDtTm>
        </Assgnmt>
        <RslvdCase>
          <Id>CASE-1</Id><Cretr><Agt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></Agt></Cretr>
        </RslvdCase>
        <Sts><Conf>RJCR</Conf></Sts>
        <CxlDtls>
          <TxInfAndSts>
            <CxlStsId>S-1</CxlStsId>
            <OrgnlGrpInf>
              <OrgnlMsgId>PAY-1</OrgnlMsgId><OrgnlMsgNmId>pacs.008.001.08</OrgnlMsgNmId>
            </OrgnlGrpInf>
            <OrgnlEndToEndId>E2E-1</OrgnlEndToEndId><OrgnlTxId>TX-1</OrgnlTxId>
            <OrgnlUETR>86d7da8e-6e41-4466-b9bb-9b41d5814d5a</OrgnlUETR>
            <TxCxlSts>RJCR</TxCxlSts>
            <CxlStsRsnInf>
              <Orgtr><Nm>Ann Other</Nm></Orgtr><Rsn><Cd>CUST</Cd></Rsn><AddtlInf>It was owed.</AddtlInf>
            </CxlStsRsnInf>
            <OrgnlIntrBkSttlmAmt Ccy="EUR">150.00</OrgnlIntrBkSttlmAmt>
            <OrgnlIntrBkSttlmDt>2026-11-27</OrgnlIntrBkSttlmDt>
          </TxInfAndSts>
        </CxlDtls>
      </RsltnOfInvstgtn>
    </Document>
    """

  static let orderStatuses = """
    <?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
      <CstmrPmtStsRpt>
        <GrpHdr>
          <MsgId>REPORT-1</MsgId><CreDtTm>2026-11-26T14:00:00Z</CreDtTm><InitgPty><Nm>The bank</Nm></InitgPty>
          <DbtrAgt><FinInstnId><BICFI>DEUTDEFF</BICFI></FinInstnId></DbtrAgt>
        </GrpHdr>
        <OrgnlGrpInfAndSts>
          <OrgnlMsgId>ORDERS-1</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
          <OrgnlNbOfTxs>3</OrgnlNbOfTxs><GrpSts>PART</GrpSts>
        </OrgnlGrpInfAndSts>
        <OrgnlPmtInfAndSts>
          <OrgnlPmtInfId>BATCH-1</OrgnlPmtInfId>
          <TxInfAndSts>
            <StsId>S-1</StsId><OrgnlInstrId>I-1</OrgnlInstrId><OrgnlEndToEndId>E2E-1</OrgnlEndToEndId>
            <TxSts>RJCT</TxSts>
            <StsRsnInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>The account was closed.</AddtlInf></StsRsnInf>
            <AccptncDtTm>2026-11-26T13:59:00Z</AccptncDtTm>
          </TxInfAndSts>
          <TxInfAndSts><OrgnlEndToEndId>E2E-2</OrgnlEndToEndId><TxSts>ACSC</TxSts></TxInfAndSts>
        </OrgnlPmtInfAndSts>
        <OrgnlPmtInfAndSts>
          <OrgnlPmtInfId>BATCH-2</OrgnlPmtInfId><OrgnlNbOfTxs>1</OrgnlNbOfTxs><PmtInfSts>RJCT</PmtInfSts>
          <StsRsnInf><Rsn><Prtry>OUR-7</Prtry></Rsn></StsRsnInf>
        </OrgnlPmtInfAndSts>
      </CstmrPmtStsRpt>
    </Document>
    """

  static let all = [
    creditTransfers, statement, paymentOrders, statuses, returns, notification, cancellation, cancellationAnswer,
    orderStatuses,
  ]
}
