/** Preview panel: the shop's real page with what is not saved yet, and switches for screen, language and width. */
import { useId, useState } from 'react'
import { localeLabel, PAGE_LOCALES, toPageLocale, type PageLocale } from '#contract/locale.ts'
import { previewedShop } from '#contract/merchant/previewed-shop.ts'
import type { SettingsAnswer } from '#contract/merchant/settings.ts'
import { previewAddress, PREVIEW_SCREENS, type PreviewScreen } from '#contract/preview-address.ts'
import { PreviewFrame, type PreviewWidth } from '../../forms/preview-frame.tsx'
import { SelectField } from '../../forms/select-field.tsx'
import { shopOrigin } from '../../session/shop-origin.ts'
import { useLanguage, useWords } from '../../words/language.tsx'
import styles from './preview-panel.module.css'
import { lookWords } from './words.ts'

const WIDTHS = ['phone', 'wide'] as const
const SAMPLE_AMOUNT = 4980

const WidthSwitch = ({ width, onChange }: { readonly width: PreviewWidth; onChange(width: PreviewWidth): void }) => {
  const words = useWords(lookWords)
  const name = useId()
  return (
    <fieldset className={styles['widths']}>
      <legend className={styles['legend']}>{words.width}</legend>
      {WIDTHS.map((each) => (
        <label key={each} className={styles['width']}>
          <input
            type="radio"
            className={styles['radio']}
            name={name}
            checked={each === width}
            onChange={() => onChange(each)}
          />
          <span>{words.widths[each]}</span>
        </label>
      ))}
    </fieldset>
  )
}

export const PreviewPanel = ({ settings }: { readonly settings: SettingsAnswer }) => {
  const words = useWords(lookWords)
  const { locale: consoleLocale } = useLanguage()
  const [screen, setScreen] = useState<PreviewScreen>('creditcard')
  const [chosen, setChosen] = useState<PageLocale | null>(null)
  const [width, setWidth] = useState<PreviewWidth>('phone')
  const locale = chosen ?? toPageLocale(settings.locale ?? undefined) ?? consoleLocale
  const sale = {
    amount: SAMPLE_AMOUNT,
    subject: words.sampleSubject,
    remarks: words.sampleRemarks,
    taxes: [{ rate: 8, amount: SAMPLE_AMOUNT } as const],
  }
  const address = previewAddress(shopOrigin(settings.label, window.location), {
    shop: previewedShop(settings),
    sale,
    view: { screen, locale },
  })
  return (
    <div className={styles['panel']}>
      <div className={styles['switches']}>
        <SelectField
          label={words.screen}
          value={screen}
          choices={PREVIEW_SCREENS.map((value) => ({ value, label: words.screens[value] }))}
          onChange={(value) => setScreen(value)}
        />
        <SelectField
          label={words.language}
          value={locale}
          choices={PAGE_LOCALES.map((value) => ({ value, label: localeLabel(value) }))}
          onChange={(value) => setChosen(value)}
        />
        <WidthSwitch width={width} onChange={setWidth} />
      </div>
      <PreviewFrame address={address} width={width} title={words.previewTitle(settings.shopName)} />
    </div>
  )
}
