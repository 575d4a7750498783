"""Names of processors that the kernel gives only as numbers.

Arm: implementer and part of the MIDR register (Arm's Technical Reference Manuals, `MIDR_EL1`; the same
numbers stand in Linux, arch/arm64/include/asm/cputype.h). s390x: machine types as IBM publishes them.
"""

from __future__ import annotations

from types import MappingProxyType

IMPLEMENTERS = MappingProxyType(
    {
        0x41: "ARM", 0x42: "Broadcom", 0x43: "Cavium", 0x44: "DEC", 0x46: "Fujitsu", 0x48: "HiSilicon",
        0x49: "Infineon", 0x4D: "Motorola/Freescale", 0x4E: "NVIDIA", 0x50: "APM", 0x51: "Qualcomm",
        0x53: "Samsung", 0x56: "Marvell", 0x61: "Apple", 0x66: "Faraday", 0x69: "Intel", 0x6D: "Microsoft",
        0x70: "Phytium", 0xC0: "Ampere",
    }
)  # fmt: skip

PARTS = MappingProxyType(
    {
        (0x41, 0xC07): "Cortex-A7", (0x41, 0xC08): "Cortex-A8", (0x41, 0xC09): "Cortex-A9",
        (0x41, 0xC0E): "Cortex-A17", (0x41, 0xC0F): "Cortex-A15", (0x41, 0xD02): "Cortex-A34",
        (0x41, 0xD03): "Cortex-A53", (0x41, 0xD04): "Cortex-A35", (0x41, 0xD05): "Cortex-A55",
        (0x41, 0xD06): "Cortex-A65", (0x41, 0xD07): "Cortex-A57", (0x41, 0xD08): "Cortex-A72",
        (0x41, 0xD09): "Cortex-A73", (0x41, 0xD0A): "Cortex-A75", (0x41, 0xD0B): "Cortex-A76",
        (0x41, 0xD0C): "Neoverse-N1", (0x41, 0xD0D): "Cortex-A77", (0x41, 0xD0E): "Cortex-A76AE",
        (0x41, 0xD40): "Neoverse-V1", (0x41, 0xD41): "Cortex-A78", (0x41, 0xD42): "Cortex-A78AE",
        (0x41, 0xD43): "Cortex-A65AE", (0x41, 0xD44): "Cortex-X1", (0x41, 0xD46): "Cortex-A510",
        (0x41, 0xD47): "Cortex-A710", (0x41, 0xD48): "Cortex-X2", (0x41, 0xD49): "Neoverse-N2",
        (0x41, 0xD4A): "Neoverse-E1", (0x41, 0xD4B): "Cortex-A78C", (0x41, 0xD4C): "Cortex-X1C",
        (0x41, 0xD4D): "Cortex-A715", (0x41, 0xD4E): "Cortex-X3", (0x41, 0xD4F): "Neoverse-V2",
        (0x41, 0xD80): "Cortex-A520", (0x41, 0xD81): "Cortex-A720", (0x41, 0xD82): "Cortex-X4",
        (0x41, 0xD83): "Neoverse-V3AE", (0x41, 0xD84): "Neoverse-V3", (0x41, 0xD85): "Cortex-X925",
        (0x41, 0xD87): "Cortex-A725", (0x41, 0xD8E): "Neoverse-N3",
        (0x42, 0x516): "ThunderX2", (0x43, 0x0A1): "ThunderX", (0x43, 0x0AF): "ThunderX2",
        (0x43, 0x0B8): "ThunderX3", (0x46, 0x001): "A64FX", (0x48, 0xD01): "Kunpeng-920",
        (0x48, 0xD02): "Kunpeng-930", (0x4E, 0x004): "Carmel", (0x50, 0x000): "X-Gene",
        (0x6D, 0xD49): "Azure-Cobalt-100", (0x70, 0x662): "FTC662", (0x70, 0x663): "FTC663",
        (0xC0, 0xAC3): "Ampere-1", (0xC0, 0xAC4): "Ampere-1a", (0xC0, 0xAC5): "Ampere-1b",
    }
)  # fmt: skip

S390_MACHINES = MappingProxyType(
    {
        "2064": "z900", "2066": "z800", "2084": "z990", "2086": "z890", "2094": "z9 EC", "2096": "z9 BC",
        "2097": "z10 EC", "2098": "z10 BC", "2817": "z196", "2818": "z114", "2827": "zEC12", "2828": "zBC12",
        "2964": "z13", "2965": "z13s", "3906": "z14", "3907": "z14 ZR1", "8561": "z15", "8562": "z15 T02",
        "3931": "z16", "3932": "z16 A02", "9175": "z17",
    }
)  # fmt: skip
