import { Component, type ReactNode } from 'react'
import { FailureNotice } from './error/failure-notice.tsx'
import { useInitialData } from './page-context.ts'
import { useLanguage } from './words/language-provider.tsx'

const StoppedNotice = () => {
  const { words } = useLanguage()
  const { checkout } = useInitialData()
  return <FailureNotice title={words.broken.stopped} message={words.broken.stoppedHelp} checkout={checkout} />
}

/** Error boundary: a screen that throws is replaced by a notice; without it React would leave an empty page. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <StoppedNotice /> : this.props.children
  }
}
