import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// On a slow connection, each request takes as long as downloading 20 KB. By default, the bundler creates a file for
// each component that two pages share, so the first page would need dozens. This puts everything shared by at least
// three pages into one file.
const codeSplitting = { groups: [{ name: 'core', minShareCount: 3 }] }

export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
  build: {
    // Inlined assets would become data: URLs, which the content security policy does not allow.
    assetsInlineLimit: 0,
    manifest: true,
    target: 'baseline-widely-available',
    rolldownOptions: { output: { codeSplitting } },
  },
})
