/** Example responses for the API reference. */
export const linkTokenExample = {
  link_token: 'link-sandbox-3f6a1c2e-8a4d-4a0b-9d5e-1c2f3a4b5c6d',
  expiration: '2026-11-21T14:15:30.000Z',
}
export const institutionExample = {
  institution_id: 'ins_109508',
  institution_name: 'First Platypus Bank',
  logo: 'iVBORw0KGgo=',
  logo_url: 'https://rewards.example/institutions/ins_109508/logo?v=5d41402abc4b2a76',
  color: '#1f7a6d',
  new_accounts_available: false,
  linked_cards: [
    {
      card_id: 'crd_01m9x3kq4c8f0vt6r4b7n5hz1d',
      account_id: 'Bq1vR8xkQ2sZ',
      name: 'Everyday Rewards Card',
      mask: '4417',
      error: null,
      reauthentication_deadline: null,
    },
  ],
}
export const unlinkedExample = { publisher_user_id: 'user-1', institution_id: 'ins_109508', unlinked_cards: 1 }
