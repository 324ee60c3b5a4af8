/** Calls of the merchant API that read and change the shop's settings and its pictures. */
import { bodyErrors, merchantCall, merchantErrors, NoBody, NoPath } from './calls.ts'
import { ChangeSettingsBody, SettingsAnswer } from './merchant-settings.ts'
import { MERCHANT_PATHS } from './paths.ts'
import { PictureAnswer, PictureBody, PicturePath, PictureRemovedAnswer } from './pictures.ts'

export const readSettings = merchantCall({
  ...MERCHANT_PATHS.readSettings,
  lane: 'merchantCalls',
  access: 'read',
  summary: 'Read the settings of the shop; the header ETag names this state of them',
  params: NoPath,
  body: NoBody,
  status: 200,
  answer: SettingsAnswer,
  errors: [...merchantErrors],
})

export const changeSettings = merchantCall({
  ...MERCHANT_PATHS.changeSettings,
  lane: 'dearCalls',
  access: 'full',
  summary: 'Change some of the settings of the shop, with the ETag that was read as If-Match',
  params: NoPath,
  body: ChangeSettingsBody,
  status: 200,
  answer: SettingsAnswer,
  errors: ['if_match_required', 'settings_changed', ...merchantErrors, ...bodyErrors],
})

export const replacePicture = merchantCall({
  ...MERCHANT_PATHS.replacePicture,
  lane: 'uploads',
  access: 'full',
  summary: 'Upload the logo or the cover of the shop: the bytes of a PNG, JPEG or WebP file as the body',
  params: PicturePath,
  body: PictureBody,
  status: 200,
  answer: PictureAnswer,
  errors: ['image_refused', 'invalid_field', ...merchantErrors],
})

export const removePicture = merchantCall({
  ...MERCHANT_PATHS.removePicture,
  lane: 'merchantCalls',
  access: 'full',
  summary: 'Remove the logo or the cover of the shop',
  params: PicturePath,
  body: NoBody,
  status: 200,
  answer: PictureRemovedAnswer,
  errors: [...merchantErrors, ...bodyErrors],
})
