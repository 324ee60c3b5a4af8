/**
 * Words of the invoice on a receipt, page and mail, in all languages at once. They come with the receipt's own script: in the
 * files of the languages every shopper would wait for them. A tax office in Japan reads the Japanese words, which stand beside
 * the translation in every other language.
 */
import type { PageLocale } from './locale.ts'

interface InvoiceWords {
  readonly title: string
  readonly number: string
  readonly issuer: string
  readonly date: string
  readonly content: string
  total(rate: number): string
  readonly tax: string
  readonly reduced: string
  readonly byCard: string
}

export const invoiceWords: Readonly<Record<PageLocale, InvoiceWords>> = {
  ja: {
    title: '適格簡易請求書',
    number: '登録番号',
    issuer: '発行者',
    date: '取引日',
    content: '取引内容',
    // At 0 % nothing is included: exempt and untaxed sales.
    total: (rate) => (rate === 0 ? '対象外（非課税・免税等）' : `${rate}%対象（税込）`),
    tax: '消費税額等',
    reduced: '軽減税率対象',
    byCard: 'クレジットカード利用',
  },
  'en-US': {
    title: 'Qualified simplified invoice',
    number: 'Registration number',
    issuer: 'Issuer',
    date: 'Transaction date',
    content: 'Description',
    total: (rate) => `Total at ${rate}%, tax included`,
    tax: 'Consumption tax',
    reduced: 'Reduced tax rate',
    byCard: 'Paid by credit card',
  },
  ko: {
    title: '적격 간이 청구서',
    number: '등록번호',
    issuer: '발행자',
    date: '거래일',
    content: '거래 내용',
    total: (rate) => `${rate}% 대상 합계 (세금 포함)`,
    tax: '소비세',
    reduced: '경감세율 대상',
    byCard: '신용카드 결제',
  },
  'zh-Hans': {
    title: '合格简易发票',
    number: '登记编号',
    issuer: '开具方',
    date: '交易日期',
    content: '交易内容',
    total: (rate) => `${rate}%税率合计（含税）`,
    tax: '其中消费税',
    reduced: '适用轻减税率',
    byCard: '信用卡支付',
  },
  'zh-Hant': {
    title: '合格簡易發票',
    number: '註冊編號',
    issuer: '開立者',
    date: '交易日期',
    content: '交易內容',
    total: (rate) => `${rate}%稅率合計（含稅）`,
    tax: '其中消費稅',
    reduced: '適用輕減稅率',
    byCard: '信用卡付款',
  },
  th: {
    title: 'ใบกำกับภาษีอย่างย่อของญี่ปุ่น',
    number: 'หมายเลขทะเบียน',
    issuer: 'ผู้ออกเอกสาร',
    date: 'วันที่ทำรายการ',
    content: 'รายละเอียด',
    total: (rate) => `ยอดรวมที่อัตรา ${rate}% (รวมภาษี)`,
    tax: 'ภาษีบริโภค',
    reduced: 'อัตราลดหย่อนภาษี',
    byCard: 'ชำระด้วยบัตรเครดิต',
  },
}
