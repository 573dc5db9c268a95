/** The commands that create a new sign-in link. */
export function LinkCommands() {
  return (
    <>
      Whoever runs the service can print a new sign-in link with <Command>laurel accounts link ACCOUNT</Command>, or in
      a sandbox with <Command>laurel demo</Command>.
    </>
  )
}

function Command({ children }: { readonly children: string }) {
  return <code className="font-mono text-xs">{children}</code>
}
