import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { buttonClass } from './button.tsx'

const styled = (className: string) => createLink((props: ComponentProps<'a'>) => <a {...props} className={className} />)

/** The title of a row, which links to the row's page. */
export const RowLink = styled('row-link block truncate font-medium')
/** A page above this one. */
export const Crumb = styled('hover:text-ink hover:underline')
/** A link within a text. */
export const TextLink = styled('text-brand-ink hover:underline')
export const ButtonLink = styled(buttonClass())
