import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
  // Inlined assets would be data: addresses, which the content security policy does not allow.
  build: { assetsInlineLimit: 0, manifest: true, target: 'baseline-widely-available' },
})
