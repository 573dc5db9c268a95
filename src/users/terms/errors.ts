export type TermsRefusal = 'terms_not_found' | 'terms_not_published' | 'terms_superseded' | 'terms_revision_exists'
