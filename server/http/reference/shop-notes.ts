/** Notes on the calls about the key itself and about the shop. */
import type { CallNote } from './note.ts'

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
