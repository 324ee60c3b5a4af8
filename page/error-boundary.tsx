/** Error boundary: a screen that throws is replaced by a notice; without it React would leave an empty page. */
import { Component, type ReactNode } from 'react'
import { useLazyParts } from './load-lazy-parts.ts'

/** Where even this cannot be loaded, the error reaches the root, and the watchdog shows its own notice. */
const Stopped = () => {
  const parts = useLazyParts(true)
  return parts === undefined ? null : <parts.StoppedNotice />
}

export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  // Not as a field: that would bring a helper for old browsers into the first script.
  constructor(props: { readonly children: ReactNode }) {
    super(props)
    this.state = { hasFailed: false }
  }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? <Stopped /> : this.props.children
  }
}
