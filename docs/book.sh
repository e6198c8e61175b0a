#!/usr/bin/env bash
# The pages as a book in `target/book/pages`: needs mdBook (`cargo install mdbook`). mdBook takes the pages of one directory,
# with its index in it; so they are copied to `target/book/source`, where the links between them are as they are here.
set -euo pipefail
cd "$(dirname "$0")/.."
source=target/book/source
rm -rf target/book
mkdir -p "$source/docs"
cp -r docs/*.md docs/images "$source/docs"
rm "$source/docs/SUMMARY.md" "$source/docs/labels.md"
cp LANGUAGE.md "$source"
cp README.md "$source/index.md"
sed -E -e 's#\(([a-z_]+\.md)\)#(docs/\1)#' -e 's#\(\.\./README\.md\)#(index.md)#' -e 's#\(\.\./#(#' docs/SUMMARY.md > "$source/SUMMARY.md"
sed -i 's#\.\./README\.md#../index.md#' "$source"/docs/*.md
mdbook build
