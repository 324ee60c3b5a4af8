/** Preview page: the merchant's page as a shopper would see it, from the query alone. It makes no call, takes no input. */
import { screenForStatus, type Screen } from '#contract/screens.ts'
import type { PageCheckout } from '../parse-answers.ts'
import { CardForm } from '../card/card-form.tsx'
import { CardScreen } from '../card/card-page.tsx'
import { EMPTY_VALUES } from '../card/fields.ts'
import { INIT_START } from '../payment/flow.ts'
import type { CardFormState } from '../card/use-card-form.ts'
import { lazyParts } from '../lazy-parts.tsx'
import { useInitialData } from '../page-context.ts'
import { useLanguage } from '../words/language-provider.tsx'
import { loadedWords } from '../words/load-words.ts'
import { parsePreviewQuery } from './parameters.ts'
import styles from './preview-page.module.css'
import { Watermark, type WatermarkWords } from './watermark.tsx'

const noop = (): undefined => undefined

/** A form that keeps nothing. It counts as valid so that the merchant sees the button in the shop's colour. */
export const INERT_FORM: CardFormState = {
  values: EMPTY_VALUES,
  invalidFields: [],
  shownProblem: noop,
  change: noop,
  touch: noop,
  touchAll: noop,
  clear: noop,
  clearCard: noop,
  focus: noop,
  register: noop,
}

interface ScreenProps {
  readonly checkout: PageCheckout
}

const { CompletePage, ErrorPage } = lazyParts

const screens: Record<Screen, (props: ScreenProps) => React.JSX.Element> = {
  creditcard: ({ checkout }) => (
    <CardScreen checkout={checkout} isPreview>
      <CardForm checkout={checkout} form={INERT_FORM} binCodes={[]} flow={INIT_START} dispatch={noop} />
    </CardScreen>
  ),
  complete: ({ checkout }) => <CompletePage checkout={checkout} isPreview />,
  error: ({ checkout }) => <ErrorPage checkout={checkout} isPreview />,
}

const Notice = ({ locale, words }: WatermarkWords) => (
  <div lang={locale}>
    <p className={styles['words']}>
      <strong>{words.sample}</strong> {words.notReal}
    </p>{' '}
    <p>{words.notice}</p>
  </div>
)

const PreviewPage = ({ checkout }: ScreenProps) => {
  const { words, locale } = useLanguage()
  const { visitorLocale } = useInitialData().preview
  const inPageLanguage: WatermarkWords = { locale, words: words.preview }
  const inVisitorLanguage: WatermarkWords = {
    locale: visitorLocale,
    words: (loadedWords(visitorLocale) ?? words).preview,
  }
  const Screen = screens[screenForStatus(checkout.status)]
  return (
    <div className={styles['preview']}>
      <aside className={styles['notice']}>
        <Notice {...inPageLanguage} />
        {visitorLocale === locale ? null : <Notice {...inVisitorLanguage} />}
      </aside>
      <Watermark page={inPageLanguage} visitor={visitorLocale === locale ? inPageLanguage : inVisitorLanguage} />
      <Screen checkout={checkout} />
    </div>
  )
}

export const preview = { parseQuery: parsePreviewQuery, Page: PreviewPage }
