/** Stopped notice: a screen has failed while the shopper used it. */
import { useInitialData } from '../page-context.ts'
import { useLanguage } from '../words/language-provider.tsx'
import { FailureNotice } from './failure-notice.tsx'

export const StoppedNotice = () => {
  const { words } = useLanguage()
  const { checkout, shop } = useInitialData()
  return <FailureNotice title={words.broken.stopped} message={words.broken.stoppedHelp} shop={checkout ?? shop} />
}
