/** Notes on the calls about the key itself and about the shop. */
import type { CallNote } from './note.ts'

const ETAG = {
  ETag: 'The state of the settings, with the two pictures. Send it as `If-Match` when you change them.',
} as const

const SETTINGS = {
  label: 'tea',
  shopName: 'Aoyama Tea',
  shopAddress: '2-3-4 Minami-Aoyama, Minato-ku, Tokyo',
  shopPhoneNumber: '03-0000-0000',
  shopEmail: 'shop@aoyama-tea.example',
  shopUrl: 'https://aoyama-tea.example/',
  colorCode: '#2f6b4f',
  fontType: 'serif',
  locale: null,
  acceptedCardBrands: null,
  allowExemption: false,
  requireFullAuthentication: false,
  linkHosts: ['shop.example.com'],
  registrationNumber: 'T1234567890123',
  notifications: {
    address: 'orders@aoyama-tea.example',
    locale: 'ja_JP',
    paid: true,
    refunded: true,
    needsAttention: null,
  },
  logo: null,
  logoPlate: null,
  cover: null,
} as const

export const shopNotes = {
  readMe: {
    group: 'Shop',
    description: 'Says whose key it is and what it may do. A good first call: it changes nothing.',
    answers: 'The merchant, the mode and the key.',
    example: {
      answer: {
        merchant: { label: 'tea', name: 'Aoyama Tea' },
        mode: 'test',
        key: { access: 'full', hint: 'x7k2', name: 'web shop', createdAt: '2026-11-20T00:00:00.000Z' },
      },
    },
  },
  readSettings: {
    group: 'Shop',
    description: 'The facts of the shop, how its pages look, what new checkouts accept, and its policies.',
    answers: 'The settings as they stand.',
    answerHeaders: ETAG,
    example: { answer: SETTINGS },
  },
  changeSettings: {
    group: 'Shop',
    description: [
      'Changes the settings that it names and keeps the others. Null removes one that may be missing.',
      'Send the `ETag` that you have read as `If-Match`: if somebody has changed them since, nothing is changed and you are told so. `*` changes them however they stand.',
      '`notifications` has the shop told by mail when a checkout is paid or refunded, or when a person is needed. Of its fields, too, those that are left out stay. Nothing is sent to an address that is not registered.',
      'Pages show name, colour and font within a second. `locale` and `acceptedCardBrands` hold for checkouts that are created from then on.',
    ].join('\n'),
    answers: 'The settings as they are now.',
    answerHeaders: ETAG,
    example: {
      headers: { 'If-Match': '*' },
      body: {
        colorCode: '#2f6b4f',
        fontType: 'serif',
        linkHosts: ['shop.example.com'],
        registrationNumber: 'T1234567890123',
        notifications: { address: 'orders@aoyama-tea.example', locale: 'ja_JP', paid: true, refunded: true },
      },
      answer: SETTINGS,
    },
  },
  replacePicture: {
    group: 'Shop',
    description: [
      'Replaces the logo or the cover of the shop. The body is the file itself: PNG, JPEG or WebP by its content, at most 2 MiB, at most 4096 pixels a side, not animated.',
      'What it says beside its pixels, such as the place where a photo was taken, is removed.',
    ].join('\n'),
    answers: 'Where shoppers see the picture from now on.',
    example: {
      path: { picture: 'logo' },
      upload: { name: 'logo.png', type: 'image/png' },
      answer: {
        url: 'https://tea.pay.example.com/pictures/5f0c8e51d2a94b7c3e6f1a08b9d7c2e45f0c8e51d2a94b7c3e6f1a08b9d7c2e4.png',
        contentType: 'image/png',
        width: 512,
        height: 512,
      },
    },
  },
  removePicture: {
    group: 'Shop',
    description: 'Removes the logo or the cover of the shop. One that is not there is removed too.',
    answers: 'An empty object.',
    example: { path: { picture: 'cover' }, answer: {} },
  },
} as const satisfies Readonly<Record<string, CallNote>>
