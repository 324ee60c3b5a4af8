/** Error boundary: a screen whose script is no longer there after an update, or that fails, says so and can be loaded again. */
import { Component, type ReactNode } from 'react'
import { Failed } from './states.tsx'

interface Props {
  readonly children: ReactNode
}

export class ErrorBoundary extends Component<Props, { readonly hasFailed: boolean }> {
  override readonly state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return <Failed failure={{ code: 'unreadable_answer', params: {} }} retry={() => window.location.reload()} />
  }
}
