import { screenForStatus, type Screen } from '#contract/screens.ts'
import type { PageCheckout } from '../answers.ts'
import { CardForm } from '../card/card-form.tsx'
import { CardScreen } from '../card/card-page.tsx'
import { EMPTY_VALUES } from '../card/fields.ts'
import { START } from '../card/flow.ts'
import type { CardForm as Form } from '../card/use-card-form.ts'
import { CompletePage } from '../complete/complete-page.tsx'
import { ErrorPage } from '../error/error-page.tsx'
import { useLanguage } from '../words/language.tsx'
import { readPreview } from './parameters.ts'
import styles from './preview-page.module.css'

const nothing = (): undefined => undefined

/** A form that keeps nothing. It counts as valid so that the merchant sees the button in the shop's colour. */
const STILL_FORM: Form = {
  values: EMPTY_VALUES,
  isValid: true,
  shownProblem: nothing,
  change: nothing,
  touch: nothing,
  touchAll: nothing,
  empty: nothing,
  focus: nothing,
  register: nothing,
}

interface Shown {
  readonly checkout: PageCheckout
}

const screens: Record<Screen, (props: Shown) => React.JSX.Element> = {
  creditcard: ({ checkout }) => (
    <CardScreen checkout={checkout} isPreview>
      <CardForm checkout={checkout} form={STILL_FORM} binCodes={[]} flow={START} dispatch={nothing} />
    </CardScreen>
  ),
  complete: ({ checkout }) => <CompletePage checkout={checkout} isPreview />,
  error: ({ checkout }) => <ErrorPage checkout={checkout} isPreview />,
}

/** The shop's page as a shopper would see it, made from the address alone. It makes no call and takes no input. */
const PreviewPage = ({ checkout }: Shown) => {
  const { words } = useLanguage()
  const Screen = screens[screenForStatus(checkout.status)]
  return (
    <div className={styles['preview']}>
      <aside className={styles['notice']}>
        <p>{words.preview.notice}</p>
      </aside>
      <Screen checkout={checkout} />
    </div>
  )
}

export const preview = { read: readPreview, Page: PreviewPage }
