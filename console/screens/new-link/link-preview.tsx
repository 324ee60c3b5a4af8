/** Preview of a new link: the shop's real page with what was entered so far. */
import { toPageLocale } from '#contract/locale.ts'
import { previewedShop } from '#contract/merchant/previewed-shop.ts'
import { previewAddress } from '#contract/preview-address.ts'
import { PreviewFrame } from '../../forms/preview-frame.tsx'
import { useShop } from '../../session/session.tsx'
import { shopOrigin } from '../../session/shop-origin.ts'
import { useReadSettings } from '../../session/settings.ts'
import { Card, Explanation } from '../../shell/screen.tsx'
import { Reading } from '../../shell/states.tsx'
import { useLanguage, useWords } from '../../words/language.tsx'
import { isEntered, previewedDeadline, previewedTaxes, previewedYen, type LinkDraft } from './draft.ts'
import { newLinkWords } from './words.ts'

interface LinkPreviewProps {
  readonly draft: LinkDraft
  /** When the screen was opened: the page is not drawn anew for each second. */
  readonly now: number
}

export const LinkPreview = ({ draft, now }: LinkPreviewProps) => {
  const words = useWords(newLinkWords)
  const { locale: consoleLocale } = useLanguage()
  const { label, name, mode } = useShop()
  const settings = useReadSettings()
  return (
    <Card title={words.preview}>
      {isEntered(draft) ? <Explanation>{words.enteredLead}</Explanation> : null}
      <Reading of={settings}>
        {({ settings: read }) => {
          const chosen = draft.locale === 'any' ? (read.locale ?? undefined) : draft.locale
          const address = previewAddress(shopOrigin(label, window.location), {
            shop: { ...previewedShop(read), ...(draft.brands === null ? {} : { acceptedCardBrands: draft.brands }) },
            sale: {
              amount: previewedYen(draft),
              subject: draft.subject.trim(),
              remarks: draft.remarks.trim(),
              validUntil: previewedDeadline(draft, now),
              ...previewedTaxes(draft),
            },
            view: { screen: 'creditcard', locale: toPageLocale(chosen) ?? consoleLocale, mode },
          })
          return <PreviewFrame address={address} width="phone" title={words.previewTitle(name)} />
        }}
      </Reading>
    </Card>
  )
}
