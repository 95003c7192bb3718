# The constants that hooks read, side by side: what the functions of ci/order.ld refer to, then
# what those constants refer to, as a linker script of their own.
#
#   readelf --sections --relocs --wide OBJECT | awk -f ci/constants.awk ci/order.ld -
#
# Their names change with every change of the program, so they are found anew at each link.

# A mangled name with any crate's disambiguator, as ci/order.ld has it.
function plain(name) {
  gsub(/Cs[0-9A-Za-z]*\*?_/, "Cs_", name)
  return name
}

# The section of constants that a relocation's symbol stands for.
function constants(symbol) {
  if (symbol ~ /^\.rodata/ && symbol in size) return symbol
  symbol = ".rodata." symbol
  return symbol in size ? symbol : ""
}

function follow(section,    symbols, n, i, to) {
  n = split(refers[section], symbols, " ")
  for (i = 1; i <= n; i++) {
    to = constants(symbols[i])
    if (to != "" && !(to in taken)) {
      taken[to] = 1
      found[++count] = to
    }
  }
}

# The sections found in a range, in the object's order, large ones (tables that are searched)
# apart from small ones.
function write(from, to, large,    i, chosen) {
  for (i = from; i <= to; i++) chosen[found[i]] = 1
  for (i = 1; i <= sections; i++)
    if (name[i] in chosen && (length(size[name[i]]) > 3) == large) printf "    *(%s)\n", name[i]
}

FNR == NR {
  if ($1 ~ /^\.text\./) ordinary = $1 == ".text.hook"
  if ($1 ~ /^\*\(\.text\./) {
    sub(/^\*\(\.text\./, "", $1)
    sub(/\)$/, "", $1)
    hot[plain($1)] = ordinary ? 1 : 2
  }
  next
}

/^ *\[ *[0-9]+\] / {
  sub(/^ *\[ *[0-9]+\] /, "")
  if ($2 == "PROGBITS") {
    name[++sections] = $1
    size[$1] = $5
    sub(/^0+/, "", size[$1])
  }
  # By its offset, since `readelf` cuts long names short where it lists relocations.
  if ($2 == "RELA") relocated["0x" $4] = substr($1, 6)
}

/^Relocation section/ {
  for (i = 1; i < NF; i++) if ($i == "offset") section = relocated[$(i + 1)]
}

/ R_X86_64_/ { refers[section] = refers[section] " " $5 }

# What the functions of a rank refer to, and what that refers to.
function lay(rank,    i, start, direct, function_name) {
  start = count + 1
  for (i = 1; i <= sections; i++) {
    function_name = name[i]
    if (sub(/^\.text\.(unlikely\.)?/, "", function_name) && hot[plain(function_name)] == rank)
      follow(name[i])
  }
  direct = count
  for (i = start; i <= count; i++) follow(found[i])
  write(start, direct, 0)
  write(start, direct, 1)
  write(direct + 1, count, 0)
  write(direct + 1, count, 1)
}

END {
  print "SECTIONS\n{\n  .rodata.hook : {"
  print "    *libc.a:*(.rodata .rodata.*)"
  lay(1)
  lay(2)
  print "  }\n}\nINSERT AFTER .text.hook;"
  if (count < 100) {
    print "only " count " constants of hooks were found" > "/dev/stderr"
    exit 1
  }
}
