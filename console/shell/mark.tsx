/** Mark of Kaikei: the document's own icon, whose file belongs to the page's build. */
export const Mark = ({ className }: { readonly className: string | undefined }) => (
  <img src={document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href} alt="" className={className} />
)
